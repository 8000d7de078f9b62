//! Recorded responses.

use std::collections::HashMap;

use super::{Network, Request, Response};
use crate::Stopped;

pub(crate) const NO_ANSWER: u16 = 0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub method: String,
    pub url: String,
    pub response: Response,
}

/// Answers from records. Any other request is answered with status 404. A record with status 0
/// says that there was no answer; its body is the reason.
#[derive(Debug, Clone, Default)]
pub struct Replay {
    responses: HashMap<(String, String), Response>,
}

impl Replay {
    pub fn new(records: impl IntoIterator<Item = Exchange>) -> Self {
        let pair = |record: Exchange| ((record.method, record.url), record.response);
        Self { responses: records.into_iter().map(pair).collect() }
    }
}

impl Network for Replay {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        let key = (request.method.clone(), request.url.clone());
        let absent = Response { status: 404, ..Response::default() };
        match self.responses.get(&key).cloned().unwrap_or(absent) {
            Response { status: NO_ANSWER, body, .. } => Err(Stopped::Network(body)),
            response => Ok(response),
        }
    }
}
