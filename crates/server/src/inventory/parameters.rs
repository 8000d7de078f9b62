//! The parameters of a check and the form of its response.

use appstitch_types::inventory::Verdict;
use axum::http::{HeaderMap, header};

use super::{rejection::CheckRejection, report_body::Form};
use crate::{
    query::{Parameters, not_expected, read_truth},
    reads::negotiate::prefers,
};

#[derive(Debug)]
pub(super) struct CheckParameters {
    pub(super) form: Form,
    pub(super) suggest: bool,
    /// All, if it is empty.
    verdicts: Vec<Verdict>,
}

impl CheckParameters {
    pub(super) fn read(query: Option<&str>, headers: &HeaderMap) -> Result<Self, CheckRejection> {
        let mut parameters =
            Self { form: of_accept(headers), suggest: false, verdicts: Vec::new() };
        // The first invalid value counts, also of a repeated parameter.
        for (name, value) in Parameters::of(query) {
            match &*name {
                "format" => parameters.form = of_name(&value)?,
                "suggest" => {
                    let truth = read_truth("suggest", Some(&value));
                    parameters.suggest =
                        truth.map_err(CheckRejection::Invalid)?.unwrap_or_default();
                }
                "verdict" => parameters.verdicts = verdicts(&value)?,
                _ => {}
            }
        }
        Ok(parameters)
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

fn of_name(name: &str) -> Result<Form, CheckRejection> {
    match name {
        "json" => Ok(Form::Json),
        "csv" => Ok(Form::Csv),
        "ndjson" => Ok(Form::Lines),
        _ => Err(literal("format", name, "'json', 'csv' or 'ndjson'")),
    }
}

fn verdicts(list: &str) -> Result<Vec<Verdict>, CheckRejection> {
    let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
    let known = words.map(|word| {
        Verdict::from_word(word).ok_or_else(|| {
            let expected = Verdict::ALL.map(Verdict::word).join("', '");
            literal("verdict", word, &format!("'{expected}'"))
        })
    });
    known.collect()
}

fn literal(name: &str, input: &str, expected: &str) -> CheckRejection {
    CheckRejection::Invalid(not_expected(name, input, expected))
}
