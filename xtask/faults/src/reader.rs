//! Reads all the time, and checks every answer.
//!
//! A server that nobody disturbs always answers, also without its database. The same path with the
//! same `ETag` has the same bytes, whichever server sends it and whenever. What one server serves
//! never goes back.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use appstitch_hostile::Chance;
use ring::digest::{SHA256, digest};

use crate::{
    Finding,
    client::Response,
    observed::{ALL_APPS, BATCH, Observed, SOLO, TOGETHER},
    run::{Run, milliseconds},
};

/// The hash of the body under each path and `ETag`, of all readers.
#[derive(Default)]
pub(crate) struct Bodies(Mutex<HashMap<(String, String), [u8; 32]>>);

impl Bodies {
    /// Compares an answer with those before.
    pub(crate) fn compare(&self, path: &str, response: &Response) -> Result<(), Finding> {
        if response.etag.is_empty() {
            return Ok(());
        }
        let hash = digest(&SHA256, &response.body);
        let hash: [u8; 32] = std::array::from_fn(|position| hash.as_ref()[position]);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *known.entry((path.to_owned(), response.etag.clone())).or_insert(hash);
        if first == hash {
            return Ok(());
        }
        let text = response.describe();
        Err(Finding::new(format!("{path}: two bodies with ETag {}, one is {text}", response.etag)))
    }
}

/// How far a server was when this reader last saw it. Only one request of a reader is under way.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    batch: Option<u64>,
    casks: Option<u64>,
    change: u64,
}

pub(crate) async fn read_all_the_time(
    run: &Run,
    bodies: &Bodies,
    mut chance: Chance,
) -> Result<(), Finding> {
    let mut seen = vec![Seen::default(); run.replicas.len()];
    // A position that some server gave.
    let mut position = String::new();
    while !run.is_ending() {
        let number = chance.below(run.replicas.len());
        let path = path(&mut chance, &position);
        let replica = &run.replicas[number];
        if let Some((response, is_calm)) = ask(run, number, &path).await? {
            bodies.compare(&path, &response)?;
            let located =
                |Finding(what)| Finding::new(format!("{path} of {}: {what}", replica.name));
            // After a restart, another server can have the port of this one.
            let mut other = Seen::default();
            let seen = if is_calm { &mut seen[number] } else { &mut other };
            let given = check(&path, &response, seen).map_err(located)?;
            // A mirror that has received nothing yet has positions of its own.
            if let Some(given) = given.filter(|_| !run.is_mirror(number)) {
                position = given;
            }
            run.tally.count_response();
        }
        run.rest(milliseconds(&mut chance, 0, 25)).await;
    }
    Ok(())
}

/// Asks a server. Returns the answer, and whether the server was undisturbed; `None` without an answer
/// that has to be checked.
async fn ask(run: &Run, number: usize, path: &str) -> Result<Option<(Response, bool)>, Finding> {
    let replica = &run.replicas[number];
    let before = replica.calm();
    let Some(base) = replica.base() else { return Ok(None) };
    let response = run.client.get(&base, path).await;
    let is_calm = before.is_some() && replica.calm() == before;
    let text = match response {
        Ok(response) if response.status == 200 => return Ok(Some((response, is_calm))),
        // Only a record may be missing.
        Ok(response) if response.status == 404 && path.starts_with("/apps/") => return Ok(None),
        // The database may be away while a server is to tell whether it has a position.
        Ok(response) if response.status == 503 && path.starts_with("/changes?since=") => {
            return Ok(None);
        }
        // A mirror that is behind does not know the newest positions of its origin.
        Ok(response)
            if response.status == 410
                && path.starts_with("/changes?since=")
                && run.is_mirror(number) =>
        {
            return Ok(None);
        }
        Ok(response) => response.describe(),
        Err(_) if !is_calm => return Ok(None),
        Err(error) => format!("{error:?}"),
    };
    let name = &replica.name;
    Err(Finding::new(format!("{path} of {name}, undisturbed: {is_calm}: {text}")))
}

fn path(chance: &mut Chance, position: &str) -> String {
    match chance.below(10) {
        0..=2 => ALL_APPS.to_owned(),
        3 => format!("/apps?limit=7&offset={}", chance.below(12)),
        4 => format!("/apps/{BATCH}{}", chance.below(TOGETHER)),
        5 => format!("/apps/{SOLO}{}", chance.below(8)),
        6 => "/stats".to_owned(),
        7 if !position.is_empty() => format!("/changes?since={position}&limit=1000"),
        8 => "/health".to_owned(),
        _ => "/changes?limit=20".to_owned(),
    }
}

/// Returns the position that an answer gives.
fn check(path: &str, response: &Response, seen: &mut Seen) -> Result<Option<String>, Finding> {
    if path.starts_with("/apps?") {
        let observed =
            if path == ALL_APPS { Observed::of_all(response)? } else { Observed::of(response)? };
        go_on("the batch", &mut seen.batch, observed.batch)?;
        go_on("the file", &mut seen.casks, observed.casks)?;
    } else if path.starts_with("/changes") {
        let page = response.json()?;
        let next = page["next"].as_str().unwrap_or_default();
        let number = next.split('-').nth(1).and_then(|number| number.parse().ok());
        let number: u64 =
            number.ok_or_else(|| Finding::new(format!("no position: {}", response.describe())))?;
        if page["more"] != true && number < seen.change {
            let text = format!("the journal was at {} before, and is at {number}", seen.change);
            return Err(Finding::new(text));
        }
        if page["more"] != true {
            seen.change = number;
        }
        return Ok(Some(next.to_owned()));
    }
    Ok(None)
}

/// Fails if a number goes back.
fn go_on(what: &str, seen: &mut Option<u64>, now: Option<u64>) -> Result<(), Finding> {
    // A short page may have none of these apps.
    if now.is_none() {
        return Ok(());
    }
    if now < *seen {
        return Err(Finding::new(format!("{what} had the number {seen:?} before, now {now:?}")));
    }
    *seen = now;
    Ok(())
}
