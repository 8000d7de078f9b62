//! What goes on during a run: uploads, reads and faults.

use std::{sync::Arc, time::Instant};

use appstitch_hostile::Chance;
use tokio::task::JoinSet;

use crate::{
    Finding,
    casks::write_casks,
    check::{check_result, converge},
    database::Database,
    database_faults::disturb_database,
    model::Possible,
    observed::Numbers,
    reader::{Bodies, read_all_the_time},
    records::write_records,
    replica_faults::disturb_servers,
    report::{ReplicaPlan, ReplicaReport},
    run::Run,
};

/// How many clients read all the time.
const READERS: usize = 3;

/// What ends with the run.
enum Part {
    Records(Possible<Numbers>),
    Casks(Possible<Option<u64>>),
    Other,
}

/// Disturbs running servers, and checks everything. Without a database, only the servers are disturbed.
pub(crate) async fn disturb(
    plan: &ReplicaPlan,
    run: &Arc<Run>,
    database: Option<&Arc<Database>>,
) -> Result<ReplicaReport, Finding> {
    let bodies = Arc::new(Bodies::default());
    let mut parts = start(plan, run, database, &bodies);
    let end = Instant::now() + plan.time;
    let (mut records, mut casks) = (None, None);
    while !parts.is_empty() {
        let ended = tokio::select! {
            ended = parts.join_next() => ended,
            () = tokio::time::sleep_until(end.into()), if !run.is_ending() => {
                run.end();
                continue;
            }
        };
        match ended {
            None => break,
            Some(part) => match part?? {
                Part::Records(possible) => records = Some(possible),
                Part::Casks(possible) => casks = Some(possible),
                Part::Other => {}
            },
        }
    }
    let (Some(records), Some(casks)) = (records, casks) else {
        return Err(Finding::new("the writers ended too early"));
    };
    let convergence = converge(run).await?;
    let changes = check_result(run, &bodies, records, casks).await?;
    Ok(ReplicaReport { counts: run.tally.counts(), changes, convergence })
}

/// Starts everything that goes on until the run ends.
fn start(
    plan: &ReplicaPlan,
    run: &Arc<Run>,
    database: Option<&Arc<Database>>,
    bodies: &Arc<Bodies>,
) -> JoinSet<Result<Part, Finding>> {
    // Every part has decisions of its own, so that they do not depend on the time of the others.
    let mut seeds = plan.seed.wrapping_mul(1000)..;
    let mut chance = || Chance::new(seeds.next().unwrap_or_default());
    let mut parts = JoinSet::new();
    let run = Arc::clone(run);
    {
        let (run, chance) = (Arc::clone(&run), chance());
        parts.spawn(async move { disturb_servers(&run, chance).await.map(|()| Part::Other) });
    }
    if let Some(database) = database {
        let (run, database, chance) = (Arc::clone(&run), Arc::clone(database), chance());
        parts.spawn(async move {
            disturb_database(&run, &database, chance).await.map(|()| Part::Other)
        });
    }
    {
        let (run, chance) = (Arc::clone(&run), chance());
        parts.spawn(async move { write_records(&run, chance).await.map(Part::Records) });
    }
    {
        let (run, chance) = (Arc::clone(&run), chance());
        parts.spawn(async move { write_casks(&run, chance).await.map(Part::Casks) });
    }
    for _ in 0..READERS {
        let (run, bodies, chance) = (Arc::clone(&run), Arc::clone(bodies), chance());
        parts.spawn(
            async move { read_all_the_time(&run, &bodies, chance).await.map(|()| Part::Other) },
        );
    }
    parts
}
