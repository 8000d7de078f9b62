//! The network, as a label sees it.

mod replay;

use crate::Stopped;

pub(crate) use replay::NO_ANSWER;
pub use replay::{Exchange, Replay};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Such as "GET".
    pub method: String,
    /// Without a fragment.
    pub url: String,
    /// Those that the label sets, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// Empty without `--data`.
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Response {
    pub status: u16,
    /// In order, with names as the server sent them.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// Answers requests, one by one. Redirects are not followed: that is for the caller to decide.
pub trait Network {
    /// An error says that there was no answer.
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped>;
}

/// No network at all: whatever needs one is unresolved.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNetwork;

impl Network for NoNetwork {
    fn fetch(&mut self, request: &Request) -> Result<Response, Stopped> {
        Err(Stopped::Network(format!("{} is not asked: there is no network", request.url)))
    }
}
