//! Recorded cases: a label with the answers that it needs and the values that it finds.
//!
//! A file of cases has one JSON object per line and may be compressed with gzip. This is the only
//! definition of the format.

mod file;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Architecture, Budget, Exchange, Mac, Replay, Request, Resolved, Response, Stopped,
    network::NO_ANSWER, resolve,
};

pub use file::{CaseError, read_cases, write_cases};

const RECORDED: [&str; 8] = [
    "name", "type", "downloadURL", "appNewVersion", "packageID", "archiveName", "appName",
    "expectedTeamID",
];

/// A label with the answers that it needs and the values that it finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    #[serde(rename = "case")]
    pub name: String,
    pub label: String,
    pub arg: String,
    /// The SHA-256 of the label's file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragment_sha256: Option<String>,
    /// The day of the run, as year, month and day; 2026-08-22 if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<(u16, u8, u8)>,
    /// In words of the author of the case.
    #[serde(default)]
    pub category: Vec<String>,
    /// The commands and parts of the language that the label uses, if the author states them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// Whether a shell with GNU's tools would find other values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gnu_tools_differ: bool,
    /// The values of the label's variables, by architecture. An empty value is "". A variable whose
    /// value is unknown is left out.
    pub expected: BTreeMap<String, BTreeMap<String, String>>,
    /// The answers. Every other request is answered with status 404.
    pub fixtures: Vec<Fixture>,
    #[serde(default)]
    pub requests: BTreeMap<String, Vec<CaseRequest>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    pub method: String,
    pub url: String,
    /// The status; 0 if there was no answer.
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// The body, or why there was no answer.
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRequest {
    pub method: String,
    pub url: String,
    /// The headers that the label sets, with names in lower case.
    pub headers: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

impl Case {
    /// A case without answers and values.
    pub fn new(label: &str, argument: &str) -> Self {
        Self {
            name: label.to_owned(),
            label: label.to_owned(),
            arg: argument.to_owned(),
            fragment_sha256: None,
            day: None,
            category: Vec::new(),
            features: Vec::new(),
            gnu_tools_differ: false,
            expected: BTreeMap::new(),
            fixtures: Vec::new(),
            requests: BTreeMap::new(),
        }
    }

    pub fn add_run(&mut self, architecture: Architecture, resolved: &Resolved) {
        let name = architecture.name().to_owned();
        let values = RECORDED.into_iter().filter_map(|variable| {
            let value = resolved.value(variable).unwrap_or(Ok("")).ok()?;
            Some((variable.to_owned(), value.to_owned()))
        });
        self.expected.insert(name.clone(), values.collect());
        self.requests.insert(name, resolved.requests.iter().map(CaseRequest::from).collect());
    }

    /// Adds an answer. The first answer to equal requests is kept.
    pub fn add_answer(&mut self, answer: Exchange) {
        if !self.is_answered(&answer.method, &answer.url) {
            self.fixtures.push(answer.into());
        }
    }

    /// Records that there was no answer to a request, and why.
    pub fn add_failure(&mut self, request: &Request, why: &str) {
        self.add_answer(Exchange {
            method: request.method.clone(),
            url: request.url.clone(),
            response: Response { status: NO_ANSWER, headers: Vec::new(), body: why.to_owned() },
        });
    }

    /// Whether the case has an answer to this request, or knows that there was none.
    pub fn is_answered(&self, method: &str, url: &str) -> bool {
        self.fixtures.iter().any(|fixture| fixture.method == method && fixture.url == url)
    }

    pub fn network(&self) -> Replay {
        Replay::new(self.records())
    }

    pub fn records(&self) -> impl Iterator<Item = Exchange> {
        self.fixtures.iter().map(|fixture| Exchange {
            method: fixture.method.clone(),
            url: fixture.url.clone(),
            response: Response {
                status: fixture.status,
                headers: fixture.headers.clone(),
                body: fixture.body.clone(),
            },
        })
    }

    pub fn play(&self, fragment: &str, architecture: Architecture) -> Result<Resolved, Stopped> {
        let mac = self.mac(architecture);
        resolve(fragment, &self.arg, &mac, &mut self.network(), Budget::default())
    }

    pub fn mac(&self, architecture: Architecture) -> Mac {
        let mut mac = Mac::new(architecture);
        mac.day = self.day.unwrap_or(mac.day);
        mac
    }
}

impl From<Exchange> for Fixture {
    fn from(answer: Exchange) -> Self {
        let Response { status, headers, body } = answer.response;
        Self { method: answer.method, url: answer.url, status, headers, body }
    }
}

impl From<&Request> for CaseRequest {
    fn from(request: &Request) -> Self {
        Self {
            method: request.method.clone(),
            url: request.url.clone(),
            headers: request.headers.iter().cloned().collect(),
            body: request.body.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAGMENT: &str = "app)\nname=App\nappNewVersion=$(curl -fs https://example.com/v)\n\
        downloadURL=$(curl -fs https://example.com/gone)\n;;";

    fn request(url: &str) -> Request {
        Request {
            method: "GET".to_owned(),
            url: url.to_owned(),
            headers: Vec::new(),
            body: String::new(),
        }
    }

    fn answer(url: &str, body: &str) -> Exchange {
        let response = Response { status: 200, headers: Vec::new(), body: body.to_owned() };
        Exchange { method: "GET".to_owned(), url: url.to_owned(), response }
    }

    #[test]
    fn a_case_is_played_on_its_day() {
        let mut case = Case::new("app", "app");
        assert_eq!(case.mac(Architecture::I386), Mac::new(Architecture::I386));
        case.day = Some((2027, 3, 5));
        let file = write_cases(&[case], false).unwrap();
        let case = read_cases(&file).unwrap().remove(0);
        assert_eq!(case.mac(Architecture::Arm64).day, (2027, 3, 5));
    }

    #[test]
    fn a_recorded_case_gives_the_same_values_when_it_is_played() {
        let mut case = Case::new("app", "app");
        case.add_answer(answer("https://example.com/v", "1.2\n"));
        case.add_answer(answer("https://example.com/v", "9.9\n"));
        let why = "https://example.com/gone did not answer";
        case.add_failure(&request("https://example.com/gone"), why);
        let resolved = case.play(FRAGMENT, Architecture::Arm64).unwrap();
        case.add_run(Architecture::Arm64, &resolved);

        let file = write_cases(std::slice::from_ref(&case), true).unwrap();
        let cases = read_cases(&file).unwrap();
        assert_eq!(cases, [case]);
        let resolved = cases[0].play(FRAGMENT, Architecture::Arm64).unwrap();
        assert_eq!(resolved.value("appNewVersion"), Some(Ok("1.2")));
        let stopped = resolved.value("downloadURL").unwrap().unwrap_err();
        assert_eq!(stopped.to_string(), why);
        let expected = &cases[0].expected["arm64"];
        assert_eq!(expected["appNewVersion"], "1.2");
        assert_eq!(expected["packageID"], "", "a variable that is not set is empty");
        assert!(!expected.contains_key("downloadURL"), "an unknown value is left out");
        assert_eq!(cases[0].requests["arm64"].len(), 2);
    }
}
