//! `labels resolve --replay`: plays recorded cases and prints what the labels find.

use std::{collections::HashSet, fmt::Write as _, path::Path};

use anyhow::{Context, anyhow};
use appstitch_labels::{Architecture, Case, Resolved, Stopped, read_cases};
use appstitch_refresh::{KnownLabel, KnownLabels};
use serde::Serialize;

use super::{escape::escape, origin, record, unknown::unknown};
use crate::{
    arguments::ResolveArguments,
    exit::{self, Failure},
    words::counted,
};

#[derive(Debug, Serialize)]
struct Played<'c> {
    case: &'c str,
    arch: &'static str,
    /// Empty if the label does not set it; null if it is unknown.
    #[serde(rename = "downloadURL")]
    download_url: Option<String>,
    #[serde(rename = "appNewVersion")]
    app_new_version: Option<String>,
    why: Option<String>,
}

pub(super) async fn run(arguments: &ResolveArguments) -> Result<(), Failure> {
    let Some(file) = &arguments.replay else { return Ok(()) };
    let cases = cases_in(file)?;
    let labels =
        origin::in_file_or_store(arguments.labels.as_deref(), &arguments.store.store).await?;
    let chosen = choose(&cases, &labels, &arguments.names)?;
    warn_of_changed(&chosen, &labels);
    let mut lines = String::new();
    let mut unresolved = 0;
    for case in chosen {
        for architecture in Architecture::ALL {
            let played = play(case, &labels, architecture);
            unresolved += usize::from(played.why.is_some());
            let line = serde_json::to_string(&played).map_err(Failure::unreachable)?;
            // Writing to a text cannot fail.
            let _ = writeln!(lines, "{line}");
        }
    }
    exit::print(&lines)?;
    if unresolved > 0 && !arguments.names.is_empty() {
        let verb = if unresolved == 1 { "has" } else { "have" };
        let runs = counted(unresolved, "run");
        return Err(Failure::no(anyhow!("{runs} {verb} unresolved values")));
    }
    Ok(())
}

/// The cases of a file, compressed or not.
pub(super) fn cases_in(file: &Path) -> Result<Vec<Case>, Failure> {
    let context = || format!("cannot read {}", file.display());
    let bytes = std::fs::read(file).with_context(context).map_err(Failure::wrong_use)?;
    read_cases(&bytes).with_context(context).map_err(Failure::wrong_use)
}

/// The cases of the named labels; all of them without names.
fn choose<'c>(
    cases: &'c [Case],
    labels: &KnownLabels,
    names: &[String],
) -> Result<Vec<&'c Case>, Failure> {
    if names.is_empty() {
        return Ok(cases.iter().collect());
    }
    let mut wanted = HashSet::new();
    for name in names {
        let matching: Vec<&Case> =
            cases.iter().filter(|case| is_named(case, labels, name)).collect();
        if matching.is_empty() {
            let known = cases.iter().flat_map(|case| [case.name.as_str(), case.arg.as_str()]);
            let known: HashSet<&str> = known.collect();
            return Err(unknown(name, known.into_iter()));
        }
        wanted.extend(matching.into_iter().map(std::ptr::from_ref));
    }
    Ok(cases.iter().filter(|case| wanted.contains(&std::ptr::from_ref(*case))).collect())
}

pub(super) fn is_named(case: &Case, labels: &KnownLabels, name: &str) -> bool {
    [&case.name, &case.label, &case.arg].into_iter().any(|text| text == name)
        || labels.find(name).is_some_and(|label| label.stem() == case.label)
}

/// Warns of labels whose text is not the recorded one: the recorded answers may not fit.
pub(super) fn warn_of_changed(cases: &[&Case], labels: &KnownLabels) {
    let is_changed = |case: &&&Case| {
        let recorded = case.fragment_sha256.as_deref();
        let known = label_of(case, labels).map(|label| record::digest(&label.text));
        recorded.zip(known).is_some_and(|(recorded, known)| !recorded.eq_ignore_ascii_case(&known))
    };
    let changed: Vec<String> =
        cases.iter().filter(is_changed).map(|case| escape(&case.name)).collect();
    if !changed.is_empty() {
        eprintln!(
            "warning: these labels have changed since they were recorded: {}",
            changed.join(", ")
        );
    }
}

fn label_of<'l>(case: &Case, labels: &'l KnownLabels) -> Option<&'l KnownLabel> {
    labels.find_stem(&case.label).or_else(|| labels.find(&case.label))
}

fn play<'c>(case: &'c Case, labels: &KnownLabels, architecture: Architecture) -> Played<'c> {
    let resolved = match label_of(case, labels) {
        Some(label) => case.play(&label.text, architecture),
        None => Err(Stopped::Unsupported(format!("unknown label '{}'", case.label))),
    };
    let (download_url, no_url) = value(&resolved, "downloadURL");
    let (app_new_version, no_version) = value(&resolved, "appNewVersion");
    let why: Vec<String> = [no_url, no_version].into_iter().flatten().collect();
    let why = (!why.is_empty()).then(|| why.join("; "));
    Played { case: &case.name, arch: architecture.name(), download_url, app_new_version, why }
}

/// The value of a variable, or why it is unknown. A variable that is not set is empty, as in a
/// shell.
fn value(resolved: &Result<Resolved, Stopped>, variable: &str) -> (Option<String>, Option<String>) {
    let value = match resolved {
        Ok(resolved) => resolved.value(variable).unwrap_or(Ok("")),
        Err(stopped) => Err(stopped),
    };
    match value {
        Ok(text) => (Some(text.to_owned()), None),
        Err(stopped) => (None, Some(format!("{variable}: {stopped}"))),
    }
}
