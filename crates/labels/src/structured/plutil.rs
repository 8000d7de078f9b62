//! `plutil`: takes one value out of a property list or JSON, or writes it as XML.

mod read;
mod write;

use read::Plist;

use super::failure::Failure;
use crate::{Budget, FilterResult, Output, Stopped};

/// The exit status for input that cannot be read and for a missing value.
const FAILED: u8 = 1;

#[derive(Debug, PartialEq, Eq)]
enum Request<'run> {
    /// `-extract PATH raw`
    Extract(&'run str),
    /// `-convert xml1`
    Xml,
}

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let request = parse(arguments)?;
    match answer(&request, input, budget) {
        Ok(text) => {
            budget.hold(text.len())?;
            Ok(Output::success(text))
        }
        Err(failure) => failure.or_refusal(Output::status(FAILED)),
    }
}

fn parse(arguments: &[String]) -> Result<Request<'_>, Stopped> {
    let mut request = None;
    let mut reads_input = false;
    // A raw value goes to the standard output anyway.
    let mut writes_output = false;
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "-" => reads_input = true,
            "--" | "-n" => {}
            "-o" => writes_output = arguments.next() == Some("-"),
            "-extract" => {
                let path = arguments.next().unwrap_or_default();
                if arguments.next() != Some("raw") {
                    return Err(Stopped::unsupported("plutil", "-extract without raw"));
                }
                request = Some(Request::Extract(path));
                writes_output = true;
            }
            "-convert" => {
                if arguments.next() != Some("xml1") {
                    return Err(Stopped::unsupported("plutil", "this -convert"));
                }
                request = Some(Request::Xml);
            }
            _ => return Err(Stopped::unsupported("plutil", argument)),
        }
    }
    let request = request.ok_or_else(|| Stopped::unsupported("plutil", "this call"))?;
    if !reads_input || !writes_output {
        return Err(Stopped::unsupported("plutil", "reading or writing a file"));
    }
    Ok(request)
}

fn answer(request: &Request<'_>, input: &str, budget: &mut Budget) -> Result<String, Failure> {
    let plist = read::read(input, budget)?;
    match request {
        Request::Xml => {
            budget.hold(write::blanks(&plist, 0))?;
            write::xml(&plist)
        }
        Request::Extract(path) => {
            let mut value = &plist;
            for key in path.split('.') {
                budget.step(1)?;
                value = match value {
                    Plist::Dictionary(members) => {
                        members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
                    }
                    Plist::Array(values) => {
                        key.parse().ok().and_then(|place: usize| values.get(place))
                    }
                    _ => None,
                }
                .ok_or(Failure::Refused)?;
            }
            Ok(write::raw(value) + "\n")
        }
    }
}

#[cfg(test)]
mod tests;
