//! Writes manual records: one, all at once, or none any more.

use appstitch_hostile::Chance;
use reqwest::Method;
use serde_json::json;

use crate::{
    Finding,
    model::Possible,
    observed::{ALL_APPS, BATCH, Numbers, Observed, SOLO, TOGETHER},
    replica::Replica,
    run::{Run, milliseconds},
    tally::UploadResult,
    upload::Upload,
};

const SOLOS: usize = 8;

/// With more possible states than this, the writer waits until it can see which one it is.
const MOST_POSSIBLE: usize = 32;

#[derive(Debug, Clone)]
enum Step {
    Put(String),
    Delete(String),
    /// Replaces all records: those that are written together get a new number.
    Replace,
}

/// Writes until the run ends. Returns what the records may be.
pub(crate) async fn write_records(
    run: &Run,
    mut chance: Chance,
) -> Result<Possible<Numbers>, Finding> {
    let mut possible = Possible::only(Numbers::new());
    let mut number = 0;
    while !run.is_ending() {
        let step = decide(&mut chance);
        let replica = run.any_writable(&mut chance);
        number += 1;
        let believed = possible.any().cloned().unwrap_or_default();
        let upload = step.upload(&believed, number);
        let (result, is_calm) = upload.send(&run.client, replica, &run.tally).await?;
        if result == UploadResult::NotFound {
            let Step::Delete(slug) = &step else {
                return Err(Finding::new(format!("{step:?} is not found")));
            };
            possible.retain(&format!("{slug} is not found"), |state| !state.contains_key(slug))?;
        }
        possible.after(result, |state| step.applied(state, &believed, number));
        // What is acknowledged is served at once, where it was acknowledged.
        let is_to_check = !possible.is_certain() || chance.once_in(4);
        if result == UploadResult::Acknowledged && is_calm && is_to_check {
            check(run, replica, &mut possible).await?;
        }
        while possible.count() > MOST_POSSIBLE && !run.is_ending() {
            settle(run, &mut chance, &mut possible, &mut number).await?;
        }
        run.rest(milliseconds(&mut chance, 0, 60)).await;
    }
    Ok(possible)
}

/// Writes one record until that is acknowledged by a server that also shows it.
async fn settle(
    run: &Run,
    chance: &mut Chance,
    possible: &mut Possible<Numbers>,
    number: &mut u64,
) -> Result<(), Finding> {
    *number += 1;
    let step = Step::Put(format!("{SOLO}0"));
    let replica = run.any_writable(chance);
    let upload = step.upload(&Numbers::new(), *number);
    let (result, is_calm) = upload.send(&run.client, replica, &run.tally).await?;
    possible.after(result, |state| step.applied(state, &Numbers::new(), *number));
    if result == UploadResult::Acknowledged && is_calm {
        check(run, replica, possible).await?;
    }
    Ok(())
}

/// Compares what a server serves with what is possible, unless it is disturbed meanwhile.
async fn check(
    run: &Run,
    replica: &Replica,
    possible: &mut Possible<Numbers>,
) -> Result<(), Finding> {
    let before = replica.calm();
    let Some(base) = replica.base() else { return Ok(()) };
    let response = run.client.get(&base, ALL_APPS).await;
    if before.is_none() || replica.calm() != before {
        return Ok(());
    }
    possible.observe(&Observed::of_all(&response?)?.records)
}

fn decide(chance: &mut Chance) -> Step {
    let solo = |chance: &mut Chance| format!("{SOLO}{}", chance.below(SOLOS));
    match chance.below(8) {
        0..=3 => Step::Put(solo(chance)),
        4 => Step::Delete(solo(chance)),
        _ => Step::Replace,
    }
}

impl Step {
    fn upload(&self, believed: &Numbers, number: u64) -> Upload {
        match self {
            Self::Put(slug) => Upload {
                method: Method::PUT,
                path: format!("/admin/records/{slug}"),
                body: record(slug, number),
            },
            Self::Delete(slug) => Upload {
                method: Method::DELETE,
                path: format!("/admin/records/{slug}"),
                body: String::new(),
            },
            Self::Replace => {
                let records = replaced(believed, number);
                let lines: Vec<String> =
                    records.iter().map(|(slug, number)| record(slug, *number)).collect();
                Upload {
                    method: Method::PUT,
                    path: "/admin/records?allow_shrink=true".to_owned(),
                    body: lines.join("\n"),
                }
            }
        }
    }

    fn applied(&self, state: &Numbers, believed: &Numbers, number: u64) -> Numbers {
        let mut next = state.clone();
        match self {
            Self::Put(slug) => drop(next.insert(slug.clone(), number)),
            Self::Delete(slug) => drop(next.remove(slug)),
            Self::Replace => next = replaced(believed, number),
        }
        next
    }
}

/// All records after they were replaced. Those that are written one by one keep their numbers.
fn replaced(believed: &Numbers, number: u64) -> Numbers {
    let solos = believed.iter().filter(|(slug, _)| slug.starts_with(SOLO));
    let batch = (0..TOGETHER).map(|position| (format!("{BATCH}{position}"), number));
    solos.map(|(slug, number)| (slug.clone(), *number)).chain(batch).collect()
}

pub(crate) fn record(slug: &str, number: u64) -> String {
    let app = json!({
        "slug": slug, "name": slug.to_uppercase(), "current_version": number.to_string(),
        "sources": [],
    });
    json!({"app": app, "sources": null}).to_string()
}
