//! Three servers on a PostgreSQL database with a standby that takes over, again and again.
//!
//! Replication is asynchronous. In some rounds the standby has everything; in the others the last uploads
//! never reach it, although they were acknowledged. Then they are lost, and that has to be reported: all
//! servers serve what the database has, and a position in the lost part is gone.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use appstitch_cluster::{Cluster, query};
use appstitch_hostile::Chance;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    Finding,
    check::converge,
    processes::{Signal, send},
    run::{REPLICAS, Run, in_new_folder},
    tally::UploadResult,
    upload::Upload,
};

/// The path of everything that ever changed.
const ALL_CHANGES: &str = "/changes?since=0&limit=1000";

/// How often a request is repeated while the database changes hands.
const TRIES: u32 = 600;
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug, Clone)]
pub struct FailoverPlan {
    pub program: PathBuf,
    pub seed: u64,
    pub rounds: u64,
}

#[derive(Debug, Default)]
pub struct FailoverReport {
    complete: u64,
    lossy: u64,
    lost_uploads: u64,
    longest_convergence: Duration,
}

impl fmt::Display for FailoverReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { complete, lossy, lost_uploads, longest_convergence } = self;
        writeln!(
            formatter,
            "failovers: {complete} with everything, {lossy} without the last uploads"
        )?;
        writeln!(
            formatter,
            "uploads that the database lost, and that every reader learned of: {lost_uploads}"
        )?;
        write!(
            formatter,
            "all servers served the same revision at most {:.2} s after the next upload",
            longest_convergence.as_secs_f64()
        )
    }
}

/// Lets the standby take over, and checks everything.
pub async fn fail_over(plan: &FailoverPlan) -> Result<FailoverReport, Finding> {
    in_new_folder(async |folder| in_folder(plan, folder).await).await
}

async fn in_folder(plan: &FailoverPlan, folder: &Path) -> Result<FailoverReport, Finding> {
    let clusters = tokio::task::spawn_blocking(|| {
        let (primary, standby) = (Cluster::start(), Cluster::start());
        let _ = primary.database("catalog");
        standby.follow(&primary);
        [primary, standby]
    });
    let [mut primary, mut standby] = clusters.await?;
    let store = primary.url_of_either(&standby, "catalog");
    let run = Run::start(&plan.program, &store, folder, false).await?;
    let mut chance = Chance::new(plan.seed);
    let mut report = FailoverReport::default();
    for round in 0..plan.rounds {
        let mut scene = Scene { run: &run, round, uploads: 0 };
        (primary, standby) = scene.round(primary, standby, &mut chance, &mut report).await?;
    }
    drop((primary, standby));
    Ok(report)
}

struct Scene<'a> {
    run: &'a Run,
    round: u64,
    uploads: u64,
}

impl Scene<'_> {
    /// Lets the standby take over. Returns the new primary server and the new standby.
    async fn round(
        &mut self,
        primary: Cluster,
        standby: Cluster,
        chance: &mut Chance,
        report: &mut FailoverReport,
    ) -> Result<(Cluster, Cluster), Finding> {
        self.upload(chance.below(REPLICAS)).await?;
        until_followed(&primary).await?;
        converge(self.run).await?;
        let is_lossy = chance.once_in(2);
        let losing = if is_lossy { 1 + chance.below(3) } else { 0 };
        if is_lossy {
            let sender = query(&primary.url("postgres"), "SELECT pid FROM pg_stat_replication");
            send(sender.parse::<u32>().ok(), Signal::STOP);
        }
        for _ in 0..losing {
            self.upload(chance.below(REPLICAS)).await?;
        }
        let position = self.position(chance.below(REPLICAS)).await?;
        let moved = tokio::task::spawn_blocking(move || {
            primary.stop();
            standby.promote();
            (standby, primary)
        });
        let (primary, standby) = moved.await?;
        let newest = self.upload(chance.below(REPLICAS)).await?;
        let convergence = converge(self.run).await?;
        report.longest_convergence = report.longest_convergence.max(convergence);
        self.check(&newest, &position, is_lossy).await?;
        if is_lossy {
            report.lossy += 1;
            report.lost_uploads += losing as u64;
        } else {
            report.complete += 1;
        }
        let followed = tokio::task::spawn_blocking(move || {
            standby.follow(&primary);
            (primary, standby)
        });
        Ok(followed.await?)
    }

    /// Uploads a version nobody has uploaded before, until it is acknowledged.
    async fn upload(&mut self, replica: usize) -> Result<String, Finding> {
        self.uploads += 1;
        let version = format!("{}.{}", self.round, self.uploads);
        let app = json!({"slug": "app", "name": "App", "current_version": version, "sources": []});
        for _ in 0..TRIES {
            let upload = Upload {
                method: Method::PUT,
                path: "/admin/records/app".to_owned(),
                body: json!({"app": app, "sources": null}).to_string(),
            };
            let Run { client, replicas, tally, .. } = self.run;
            if upload.send(client, &replicas[replica], tally).await?.0 == UploadResult::Acknowledged
            {
                return Ok(version);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(Finding::new(format!("{version} is never acknowledged")))
    }

    async fn ask(&self, replica: usize, path: &str) -> Result<Value, Finding> {
        let base = self.run.replicas[replica].base();
        let base = base.ok_or_else(|| Finding::new("a server does not run"))?;
        self.run.client.read(&base, path).await?.json()
    }

    /// The health of a server, once it reaches the store: the loss is noted there.
    async fn health(&self, replica: usize) -> Result<Value, Finding> {
        for _ in 0..TRIES {
            let health = self.ask(replica, "/health").await?;
            if health["store"] != "unavailable" {
                return Ok(health);
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(Finding::new("a server never reaches the store again"))
    }

    /// The end of the journal, once a server serves the last upload.
    async fn position(&self, replica: usize) -> Result<String, Finding> {
        converge(self.run).await?;
        let changes = self.ask(replica, ALL_CHANGES).await?;
        Ok(changes["next"].as_str().unwrap_or_default().to_owned())
    }

    async fn check(&self, newest: &str, position: &str, is_lossy: bool) -> Result<(), Finding> {
        let mut journals = Vec::new();
        for (number, replica) in self.run.replicas.iter().enumerate() {
            let wrong = |what: String| Finding::new(format!("{}: {what}", replica.name));
            let app = self.ask(number, "/apps/app").await?;
            if app["current_version"] != *newest {
                return Err(wrong(format!("{newest} was acknowledged, and it serves {app}")));
            }
            journals.push(self.ask(number, ALL_CHANGES).await?["changes"].clone());
            let base = replica.base().unwrap_or_default();
            let path = format!("/changes?since={position}");
            let status = self.run.client.get(&base, &path).await?.status;
            if status != if is_lossy { 410 } else { 200 } {
                return Err(wrong(format!("{path} is answered with {status}; lost: {is_lossy}")));
            }
            let health = self.health(number).await?;
            if is_lossy && health["store_lost_writes_at"].is_null() {
                return Err(wrong(format!("it does not tell the loss: {health}")));
            }
        }
        if journals.iter().any(|journal| *journal != journals[0]) {
            return Err(Finding::new(format!("the journals differ: {journals:?}")));
        }
        Ok(())
    }
}

/// Waits until the standby has everything.
async fn until_followed(primary: &Cluster) -> Result<(), Finding> {
    let url = primary.url("postgres");
    let state = "SELECT count(*) FROM pg_stat_replication
        WHERE state = 'streaming' AND replay_lsn = pg_current_wal_lsn()";
    for _ in 0..TRIES {
        if query(&url, state) == "1" {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(Finding::new("the standby does not follow"))
}
