//! What a mirror spends on looking for a new revision when there is none.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use super::{http::Request, scratch, server::Server};
use crate::run::Failure;

/// As often as a mirror may look.
const OFTEN: &str = "5s";

/// Not again while this is measured.
const SELDOM: &str = "1d";

/// The kernel counts in hundredths of a second, so many looks are measured together.
const TIME: Duration = Duration::from_mins(2);

/// How long a mirror may take to have the catalog.
const PATIENCE: Duration = Duration::from_mins(5);

/// The CPU time of one look, in seconds. A server works a little even if nobody asks it, so a mirror that
/// does not look is measured beside the one that does.
pub(super) fn look_without_news(origin: &Server) -> Result<f64, Failure> {
    let folders = [scratch()?, scratch()?];
    let mirrors = [
        Server::mirror(&folders[0], &origin.address, OFTEN)?,
        Server::mirror(&folders[1], &origin.address, SELDOM)?,
    ];
    for mirror in &mirrors {
        wait_for(mirror, &tag(origin)?)?;
        mirror.process.cpu_seconds_at_rest()?;
    }
    let (before, looks_before) = (spent(&mirrors)?, looks(origin)?);
    sleep(TIME);
    let (after, looks_after) = (spent(&mirrors)?, looks(origin)?);
    let looks = looks_after - looks_before;
    if looks < 1.0 {
        return Err(Failure("the mirror does not look".to_owned()));
    }
    let difference = (after[0] - before[0]) - (after[1] - before[1]);
    Ok(difference.max(0.0) / looks)
}

fn spent(mirrors: &[Server; 2]) -> Result<[f64; 2], Failure> {
    Ok([mirrors[0].process.cpu_seconds()?, mirrors[1].process.cpu_seconds()?])
}

fn tag(server: &Server) -> Result<String, Failure> {
    Ok(server.ask(&Request::get("/apps?limit=1"))?.etag)
}

fn wait_for(mirror: &Server, wanted: &str) -> Result<(), Failure> {
    let started = Instant::now();
    while tag(mirror)? != wanted {
        if started.elapsed() > PATIENCE {
            return Err(Failure("a mirror does not get the catalog".to_owned()));
        }
        sleep(Duration::from_millis(200));
    }
    Ok(())
}

/// How often the index was asked for and had not changed.
fn looks(origin: &Server) -> Result<f64, Failure> {
    let metrics = origin.ask(&Request::get("/metrics"))?;
    let metrics = String::from_utf8_lossy(&metrics.body);
    let name = "appstitch_requests_total{route=\"/catalog/index.json\",status=\"304\"} ";
    let count = metrics.lines().find_map(|line| line.strip_prefix(name));
    Ok(count.and_then(|count| count.trim().parse().ok()).unwrap_or_default())
}
