//! One upload, and what its sender knows about it afterwards.

use reqwest::Method;

use crate::{
    Finding,
    client::{Answer, Client},
    replica::Replica,
    tally::Tally,
};

/// What became of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The change is made.
    Acknowledged,
    /// There is no such record.
    NotFound,
    /// Nothing was changed.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// What to send.
pub(crate) struct Upload {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) body: String,
}

impl Upload {
    /// Sends it to a server. Returns the outcome, and whether the server was undisturbed all the time.
    pub(crate) async fn send(
        self,
        client: &Client,
        replica: &Replica,
        tally: &Tally,
    ) -> Result<(Outcome, bool), Finding> {
        let before = replica.calm();
        let Some(base) = replica.base() else { return Ok((Outcome::Refused, false)) };
        let Self { method, path, body } = self;
        let what = format!("{method} {path} at {}", replica.name);
        let answer = client.change(method, &base, &path, body).await;
        let is_calm = before.is_some() && replica.calm() == before;
        let outcome = match answer {
            Ok(answer) => of_answer(&answer, &what)?,
            // It was never sent.
            Err(error) if error.is_connect() && !is_calm => Outcome::Refused,
            Err(_) if !is_calm => Outcome::Unknown,
            Err(error) => {
                let told = format!("{what}: the server was undisturbed, but: {error:?}");
                return Err(Finding::new(told));
            }
        };
        tally.count(outcome);
        Ok((outcome, is_calm))
    }
}

/// What an answer says.
pub(crate) fn of_answer(answer: &Answer, what: &str) -> Result<Outcome, Finding> {
    let detail = answer.detail();
    match answer.status {
        200 => Ok(Outcome::Acknowledged),
        404 => Ok(Outcome::NotFound),
        503 if detail.contains("Nothing was changed") => Ok(Outcome::Refused),
        503 if detail.contains("may have been made") => Ok(Outcome::Unknown),
        _ => Err(Finding::new(format!("{what}: {}", answer.describe()))),
    }
}
