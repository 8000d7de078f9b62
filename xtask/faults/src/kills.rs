//! One server on a SQLite file, killed in the middle of uploads.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use appstitch_hostile::Chance;
use reqwest::Method;
use serde_json::Value;

use crate::{
    Finding,
    client::Client,
    observed::ALL_APPS,
    records::record,
    replay::replay,
    replica::{Launch, Replica},
    run::in_new_folder,
    tally::UploadResult,
    upload::result_of,
};

const RECORDS: usize = 120;

/// The record that shows that the next upload works.
const NEXT: &str = "next";

/// How many uploads are measured. The one in the middle counts.
const MEASURED: usize = 5;

#[derive(Debug, Clone)]
pub struct KillPlan {
    pub program: PathBuf,
    pub seed: u64,
    pub kills: u64,
}

#[derive(Debug, Default)]
pub struct KillReport {
    pub kills: u64,
    /// Kills after the upload was acknowledged.
    pub acknowledged: u64,
    /// Kills before that, after which the new revision was served.
    pub took_new: u64,
    /// Kills before that, after which the old revision was served.
    pub kept_old: u64,
    /// How long an undisturbed upload took.
    pub upload_time: Duration,
    /// The number of changes in the journal at the end.
    pub changes: u64,
}

/// Kills a server again and again, each time at another point of an upload.
pub async fn kill_during_uploads(plan: &KillPlan) -> Result<KillReport, Finding> {
    in_new_folder(async |folder| in_folder(plan, folder).await).await
}

async fn in_folder(plan: &KillPlan, folder: &Path) -> Result<KillReport, Finding> {
    let launch = Launch::new(
        vec![plan.program.display().to_string()],
        format!("sqlite:{}", folder.join("catalog.db").display()),
        folder.join("server.log"),
    );
    let server = Replica::new("the server".to_owned(), launch);
    server.start().await?;
    let client = Client::new()?;
    let mut report = KillReport { kills: plan.kills, ..KillReport::default() };
    let mut number = 0;
    let mut times = Vec::new();
    while times.len() < MEASURED {
        number += 1;
        let started = Instant::now();
        put_all(&client, &base(&server)?, number).await?;
        times.push(started.elapsed());
    }
    times.sort();
    report.upload_time = times[MEASURED / 2];
    let mut chance = Chance::new(plan.seed);
    let mut served = Served::read(&client, &base(&server)?).await?;
    for _ in 0..plan.kills {
        number += 1;
        // From the beginning of an upload to a little after its end.
        let part = u32::try_from(chance.below(1301)).unwrap_or_default();
        let result = kill_after(&client, &server, number, report.upload_time * part / 1000).await?;
        server.start().await?;
        let now = Served::read(&client, &base(&server)?).await?;
        match (result, now.number == number) {
            (UploadResult::Acknowledged, true) => report.acknowledged += 1,
            (UploadResult::Unknown | UploadResult::Refused, true) => report.took_new += 1,
            (UploadResult::Unknown | UploadResult::Refused, false) if now == served => {
                report.kept_old += 1;
            }
            _ => {
                let text = format!("upload {number}: {result:?}; before {served:?}, now {now:?}");
                return Err(Finding::new(text));
            }
        }
        let next = record(NEXT, number);
        let path = format!("/admin/records/{NEXT}");
        let response = client.change(Method::PUT, &base(&server)?, &path, next).await?;
        if response.status != 200 {
            return Err(Finding::new(format!("the next upload: {}", response.describe())));
        }
        served = Served::read(&client, &base(&server)?).await?;
    }
    report.changes = replay(&client, &base(&server)?).await?;
    Ok(report)
}

/// Sends an upload and kills the server after a time.
async fn kill_after(
    client: &Client,
    server: &Replica,
    number: u64,
    delay: Duration,
) -> Result<UploadResult, Finding> {
    let base = base(server)?;
    let upload = {
        let client = client.clone();
        tokio::spawn(async move { send_all(&client, &base, number).await })
    };
    tokio::time::sleep(delay).await;
    server.kill();
    match upload.await? {
        Ok(response) => result_of(&response, "an upload"),
        Err(_) => Ok(UploadResult::Unknown),
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Served {
    etag: String,
    pub(crate) number: u64,
}

impl Served {
    /// Reads all records. Fails if they are not of one upload.
    pub(crate) async fn read(client: &Client, base: &str) -> Result<Self, Finding> {
        let response = client.read(base, ALL_APPS).await?;
        let apps = response.json()?;
        let apps: Vec<&Value> = apps.as_array().into_iter().flatten().collect();
        let apps: Vec<&Value> = apps.into_iter().filter(|app| app["slug"] != NEXT).collect();
        let first = apps.first().map(|app| &app["current_version"]);
        let number = first.and_then(Value::as_str).and_then(|text| text.parse().ok());
        let is_one = apps.iter().all(|app| Some(&app["current_version"]) == first);
        match number {
            Some(number) if is_one && apps.len() == RECORDS => {
                Ok(Self { etag: response.etag, number })
            }
            _ => Err(Finding::new(format!("{} mixed apps: {apps:?}", apps.len()))),
        }
    }
}

pub(crate) async fn send_all(
    client: &Client,
    base: &str,
    number: u64,
) -> Result<crate::client::Response, reqwest::Error> {
    let records = (0..RECORDS).map(|position| record(&format!("app-{position:03}"), number));
    let body: Vec<String> = records.collect();
    let path = "/admin/records?allow_shrink=true";
    client.change(Method::PUT, base, path, body.join("\n")).await
}

/// The same for an upload that must be acknowledged.
pub(crate) async fn put_all(client: &Client, base: &str, number: u64) -> Result<(), Finding> {
    let response = send_all(client, base, number).await?;
    match response.status {
        200 => Ok(()),
        _ => Err(Finding::new(format!("upload {number}: {}", response.describe()))),
    }
}

/// Where a running server answers.
pub(crate) fn base(server: &Replica) -> Result<String, Finding> {
    server.base().ok_or_else(|| Finding::new("the server does not run"))
}

impl fmt::Display for KillReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, acknowledged, took_new, kept_old, upload_time, changes } = self;
        writeln!(formatter, "SIGKILL during an upload: {kills}")?;
        writeln!(formatter, "  {acknowledged:5}  after it was acknowledged: it is there")?;
        writeln!(formatter, "  {took_new:5}  before, and the new revision is served")?;
        writeln!(formatter, "  {kept_old:5}  before, and the old revision is served")?;
        writeln!(formatter, "an undisturbed upload took {} ms", upload_time.as_millis())?;
        write!(formatter, "changes in the journal, without a gap: {changes}")
    }
}
