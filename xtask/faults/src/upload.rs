//! One upload, and what its sender knows about it afterwards.

use reqwest::Method;

use crate::{
    Finding,
    client::{Client, Response},
    replica::Replica,
    tally::{Tally, UploadResult},
};

pub(crate) struct Upload {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: String,
}

impl Upload {
    /// Sends it to a server. Returns the result, and whether the server was undisturbed all the time.
    pub(crate) async fn send(
        self,
        client: &Client,
        replica: &Replica,
        tally: &Tally,
    ) -> Result<(UploadResult, bool), Finding> {
        let before = replica.calm();
        let Some(base) = replica.base() else { return Ok((UploadResult::Refused, false)) };
        let Self { method, path, body } = self;
        let what = format!("{method} {path} at {}", replica.name);
        let response = client.change(method, &base, &path, body).await;
        let is_calm = before.is_some() && replica.calm() == before;
        let result = match response {
            Ok(response) => result_of(&response, &what)?,
            // It was never sent.
            Err(error) if error.is_connect() && !is_calm => UploadResult::Refused,
            Err(_) if !is_calm => UploadResult::Unknown,
            Err(error) => {
                let text = format!("{what}: the server was undisturbed, but: {error:?}");
                return Err(Finding::new(text));
            }
        };
        tally.count(result);
        Ok((result, is_calm))
    }
}

pub(crate) fn result_of(response: &Response, what: &str) -> Result<UploadResult, Finding> {
    let detail = response.detail();
    match response.status {
        200 => Ok(UploadResult::Acknowledged),
        404 => Ok(UploadResult::NotFound),
        503 if detail.contains("Nothing was changed") => Ok(UploadResult::Refused),
        503 if detail.contains("may have been made") => Ok(UploadResult::Unknown),
        _ => Err(Finding::new(format!("{what}: {}", response.describe()))),
    }
}
