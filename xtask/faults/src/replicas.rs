//! Three servers on one PostgreSQL database.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

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
    run::{Run, in_new_folder},
    tally::Counts,
};

/// How many clients read all the time.
const READERS: usize = 3;

#[derive(Debug, Clone)]
pub struct ReplicaPlan {
    pub program: PathBuf,
    pub seed: u64,
    pub time: Duration,
    pub prints: bool,
}

#[derive(Debug)]
pub struct ReplicaReport {
    pub counts: Counts,
    /// The number of changes in the journal at the end.
    pub changes: u64,
    /// How long the servers took to serve the same revision after the last fault.
    pub convergence: Duration,
}

/// What ends with the run.
enum Part {
    Records(Possible<Numbers>),
    Casks(Possible<Option<u64>>),
    Other,
}

/// Runs servers, clients and faults, and checks everything.
pub async fn disturb_replicas(plan: &ReplicaPlan) -> Result<ReplicaReport, Finding> {
    in_new_folder(async |folder| in_folder(plan, folder).await).await
}

async fn in_folder(plan: &ReplicaPlan, folder: &Path) -> Result<ReplicaReport, Finding> {
    let database = Arc::new(Database::start().await?);
    let run = Run::start(&plan.program, &database.url, folder, plan.prints).await?;
    let bodies = Arc::new(Bodies::default());
    let mut parts = start(plan, &run, &database, &bodies);
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
    let convergence = converge(&run).await?;
    let changes = check_result(&run, &bodies, records, casks).await?;
    Ok(ReplicaReport { counts: run.tally.counts(), changes, convergence })
}

/// Starts everything that goes on until the run ends.
fn start(
    plan: &ReplicaPlan,
    run: &Arc<Run>,
    database: &Arc<Database>,
    bodies: &Arc<Bodies>,
) -> JoinSet<Result<Part, Finding>> {
    // Every part has decisions of its own, so that they do not depend on the time of the others.
    let mut seeds = plan.seed.wrapping_mul(1000)..;
    let mut chance = || Chance::new(seeds.next().unwrap_or_default());
    let mut parts = JoinSet::new();
    let (run, database) = (Arc::clone(run), Arc::clone(database));
    {
        let (run, chance) = (Arc::clone(&run), chance());
        parts.spawn(async move { disturb_servers(&run, chance).await.map(|()| Part::Other) });
    }
    {
        let (run, chance) = (Arc::clone(&run), chance());
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

impl fmt::Display for ReplicaReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { acknowledged, refused, unknown, responses, faults, longest_gap } =
            &self.counts;
        let total: u64 = faults.values().sum();
        writeln!(
            formatter,
            "uploads: {acknowledged} acknowledged, {refused} refused, {unknown} unknown"
        )?;
        writeln!(formatter, "answers checked: {responses}")?;
        writeln!(formatter, "faults: {total}")?;
        for (kind, count) in faults {
            writeln!(formatter, "  {count:5}  {kind}")?;
        }
        writeln!(
            formatter,
            "longest time without an acknowledged upload: {:.1} s",
            longest_gap.as_secs_f64()
        )?;
        writeln!(
            formatter,
            "all servers served the same revision {:.2} s after the last fault",
            self.convergence.as_secs_f64()
        )?;
        write!(formatter, "changes in the journal, without a gap: {}", self.changes)
    }
}
