//! What has to be true when nobody is disturbed any more.

use std::time::{Duration, Instant};

use crate::{
    Finding,
    model::Possible,
    observed::{ALL_APPS, Numbers, Observed},
    reader::Bodies,
    replay::replay,
    replica::Replica,
    run::Run,
};

/// How long the servers may take until they serve the same revision. The time is reported; the bound
/// only ends a run in which they never do.
const CONVERGENCE: Duration = Duration::from_mins(3);

/// Waits until all servers serve the same revision. Returns how long that took.
pub(crate) async fn converge(run: &Run) -> Result<Duration, Finding> {
    let started = Instant::now();
    loop {
        let mut tags = Vec::new();
        for replica in &run.replicas {
            let Some(base) = replica.base() else {
                return Err(Finding::new(format!("{} does not run", replica.name)));
            };
            let health = run.client.read(&base, "/health").await?.json()?;
            if health["status"] != "ok" {
                return Err(Finding::new(format!("{} tells {health}", replica.name)));
            }
            tags.push(run.client.read(&base, "/apps?limit=1").await?.etag);
        }
        if tags.iter().all(|tag| *tag == tags[0]) {
            return Ok(started.elapsed());
        }
        if started.elapsed() > CONVERGENCE {
            return Err(Finding::new(format!("the servers still serve different ETags: {tags:?}")));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Checks that all servers serve the same bytes, and that these are what was uploaded. Returns the
/// number of changes in the journal.
pub(crate) async fn check_result(
    run: &Run,
    bodies: &Bodies,
    mut records: Possible<Numbers>,
    mut casks: Possible<Option<u64>>,
) -> Result<u64, Finding> {
    let bases: Vec<String> = run.replicas.iter().filter_map(Replica::base).collect();
    let Some(first) = bases.first() else { return Err(Finding::new("no server runs")) };
    let list = run.client.read(first, ALL_APPS).await?;
    let observed = Observed::of_all(&list)?;
    records.observe(&observed.records)?;
    casks.observe(&observed.casks)?;
    let mut paths: Vec<String> =
        [ALL_APPS, "/stats", "/apps/drift", "/apps?limit=5", "/apps?limit=5&offset=5"]
            .map(str::to_owned)
            .into();
    paths.extend(change_pages(run, first).await?);
    for slug in observed.records.keys() {
        paths.extend([format!("/apps/{slug}"), format!("/apps/{slug}/history")]);
    }
    for path in &paths {
        let expected = run.client.read(first, path).await?;
        for base in &bases {
            let response = run.client.read(base, path).await?;
            bodies.compare(path, &response)?;
            run.tally.count_response();
            if (&response.etag, &response.body) != (&expected.etag, &expected.body) {
                let difference =
                    format!("{path}: {} and {}", expected.describe(), response.describe());
                return Err(Finding::new(difference));
            }
        }
    }
    let mut changes = 0;
    for base in &bases {
        changes = replay(&run.client, base).await?;
    }
    Ok(changes)
}

async fn change_pages(run: &Run, base: &str) -> Result<Vec<String>, Finding> {
    let mut paths = vec!["/changes?limit=100&since=0".to_owned()];
    loop {
        let path = paths.last().map(String::as_str).unwrap_or_default();
        let page = run.client.read(base, path).await?.json()?;
        if page["more"] != true {
            return Ok(paths);
        }
        let next = page["next"].as_str().unwrap_or_default();
        paths.push(format!("/changes?limit=100&since={next}"));
    }
}
