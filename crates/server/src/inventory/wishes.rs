//! What a client wants to know, and in which form.

use appstitch_catalog::{Location, ValidationError, inventory::Verdict};
use axum::http::{HeaderMap, header};
use serde_json::{Map, Value};

use super::{refusal::CheckRefusal, report_body::Form};
use crate::reads::{negotiate::prefers, query::read_truth};

/// What a client wants.
#[derive(Debug)]
pub(super) struct Wishes {
    pub(super) form: Form,
    pub(super) suggest: bool,
    /// All, if it is empty.
    verdicts: Vec<Verdict>,
}

impl Wishes {
    /// Reads the query and the `Accept` header.
    pub(super) fn read(query: Option<&str>, headers: &HeaderMap) -> Result<Self, CheckRefusal> {
        let mut wishes = Self { form: of_accept(headers), suggest: false, verdicts: Vec::new() };
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match &*name {
                "format" => wishes.form = of_name(&value)?,
                "suggest" => {
                    let truth = read_truth("suggest", Some(&value));
                    wishes.suggest = truth.map_err(CheckRefusal::Invalid)?.unwrap_or_default();
                }
                "verdict" => wishes.verdicts = verdicts(&value)?,
                _ => {}
            }
        }
        Ok(wishes)
    }

    pub(super) fn wants(&self, verdict: Verdict) -> bool {
        self.verdicts.is_empty() || self.verdicts.contains(&verdict)
    }
}

fn of_accept(headers: &HeaderMap) -> Form {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    let accept = accept.unwrap_or_default();
    let wants = |form: &Form| prefers(accept, form.media_type(), Form::Json.media_type());
    [Form::Csv, Form::Lines].into_iter().find(wants).unwrap_or(Form::Json)
}

fn of_name(name: &str) -> Result<Form, CheckRefusal> {
    match name {
        "json" => Ok(Form::Json),
        "csv" => Ok(Form::Csv),
        "ndjson" => Ok(Form::Lines),
        _ => Err(literal("format", name, "'json', 'csv' or 'ndjson'")),
    }
}

fn verdicts(list: &str) -> Result<Vec<Verdict>, CheckRefusal> {
    let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
    let known = words.map(|word| {
        Verdict::from_word(word).ok_or_else(|| {
            let expected = Verdict::ALL.map(Verdict::word).join("', '");
            literal("verdict", word, &format!("'{expected}'"))
        })
    });
    known.collect()
}

fn literal(name: &str, input: &str, expected: &str) -> CheckRefusal {
    CheckRefusal::Invalid(Box::new(ValidationError {
        kind: "literal_error".to_owned(),
        loc: vec![Location::Name("query".to_owned()), Location::Name(name.to_owned())],
        msg: format!("Input should be {expected}"),
        input: Some(Value::String(input.to_owned())),
        ctx: Some(Map::from_iter([("expected".to_owned(), expected.into())])),
    }))
}
