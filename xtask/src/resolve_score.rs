//! Runs labels with recorded answers and compares their values with those of a real shell.

pub(crate) mod cases;
mod tally;

use std::{path::PathBuf, time::Instant};

use appstitch_labels::{Architecture, Resolved, Stopped, Used};
use appstitch_setup::real_files;

use crate::run::Failure;

use tally::{Tally, Verdict};

const COMPARED: [&str; 2] = ["downloadURL", "appNewVersion"];

/// Prints how many values are right, wrong and unresolved; with `--rows` also every mistake. Fails
/// if too few are right.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut shows_rows = false;
    let mut file = None;
    for argument in arguments {
        match argument.as_str() {
            "--rows" => shows_rows = true,
            name if !name.starts_with('-') && file.is_none() => file = Some(PathBuf::from(name)),
            _ => {
                return Err(Failure("usage: cargo xtask resolve-score [--rows] [FILE]".to_owned()));
            }
        }
    }
    let names = ["resolver/cases.ndjson.gz", "data/label_tool/labels.tar.gz"];
    let Some([recorded, labels]) = real_files(names) else { return Ok(()) };
    let fragments = cases::fragments(&labels)?;
    let cases = cases::read(&file.unwrap_or(recorded))?;
    let mut tally = Tally::default();
    let mut most = Used::default();
    let started = Instant::now();
    for case in &cases {
        let fragment = fragments
            .get(&case.label)
            .ok_or_else(|| Failure(format!("there is no label {}", case.label)))?;
        for architecture in Architecture::ALL {
            let name = architecture.name();
            let Some(expected) = case.expected.get(name) else { continue };
            let resolved = case.play(fragment, architecture);
            if let Ok(resolved) = &resolved {
                most.steps = most.steps.max(resolved.used.steps);
                most.bytes = most.bytes.max(resolved.used.bytes);
            }
            let verdicts = COMPARED.map(|variable| {
                let value = expected.get(variable).map(String::as_str).unwrap_or_default();
                (variable, verdict(&resolved, variable, value.trim()))
            });
            tally.add(case, name, verdicts);
        }
    }
    tally.print(started.elapsed());
    println!("most steps of a run: {}, most bytes: {}", most.steps, most.bytes);
    if shows_rows {
        tally.print_rows();
    }
    tally.check()
}

fn verdict(resolved: &Result<Resolved, Stopped>, variable: &str, expected: &str) -> Verdict {
    let value = match resolved {
        Ok(resolved) => resolved.value(variable).unwrap_or(Ok("")),
        Err(stopped) => Err(stopped),
    };
    match value {
        Ok(value) if value.trim() == expected => Verdict::Right,
        Ok(value) => {
            Verdict::Wrong { actual: value.trim().to_owned(), expected: expected.to_owned() }
        }
        Err(stopped) => Verdict::Unresolved(stopped.to_string()),
    }
}
