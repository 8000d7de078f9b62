//! One server on a SQLite file on a disk that gets full.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use appstitch_hostile::Chance;

use crate::{
    Finding,
    client::Client,
    kills::{KillPlan, Served, base, put_all, send_all},
    replay::replay,
    replica::{Launch, Replica},
    run::in_new_folder,
    small_disk::SmallDisk,
    tally::UploadResult,
    upload::result_of,
};

/// How many uploads are tried while the disk is full.
const TRIES: usize = 3;

/// The most bytes that are left on a full disk: less than an upload needs, and sometimes enough for one.
const MOST_FREE: [usize; 2] = [64 << 10, 1 << 20];

#[derive(Debug, Default)]
pub struct DiskReport {
    pub rounds: u64,
    /// Uploads that failed and changed nothing.
    pub refused: u64,
    /// Uploads that were acknowledged although the disk was nearly full.
    pub acknowledged: u64,
    /// Whether it was a real disk. Otherwise it was a limit of the size of files.
    pub is_mounted: bool,
}

/// Fills the disk of a store again and again, a different amount each time.
pub async fn fill_disk(plan: &KillPlan, rounds: u64) -> Result<DiskReport, Finding> {
    in_new_folder(async |folder| {
        let mount = folder.join("disk");
        std::fs::create_dir(&mount)?;
        let disk = SmallDisk::at(&mount);
        on_disk(plan, rounds, &disk, &mount, folder.join("server.log")).await
    })
    .await
}

async fn on_disk(
    plan: &KillPlan,
    rounds: u64,
    disk: &SmallDisk,
    mount: &Path,
    log: PathBuf,
) -> Result<DiskReport, Finding> {
    let launch = Launch::new(
        disk.command(&plan.program),
        format!("sqlite:{}", mount.join("catalog.db").display()),
        log,
    );
    let server = Replica::new("the server".to_owned(), launch);
    server.start().await?;
    let client = Client::new()?;
    let mut chance = Chance::new(plan.seed);
    let mut report = DiskReport { rounds, is_mounted: disk.is_mounted(), ..DiskReport::default() };
    let mut number = 1;
    put_all(&client, &base(&server)?, number).await?;
    for _ in 0..rounds {
        let most = MOST_FREE[chance.below(MOST_FREE.len())];
        disk.fill(&server, chance.below(most))?;
        for _ in 0..TRIES {
            number += 1;
            try_upload(&client, &server, number, &mut report).await?;
        }
        if chance.once_in(3) {
            // The store has to be whole after a crash on a full disk, too.
            let before = Served::read(&client, &base(&server)?).await?;
            disk.clear(&server)?;
            server.kill();
            server.start().await?;
            let after = Served::read(&client, &base(&server)?).await?;
            if before != after {
                let text = format!("before the crash {before:?}, afterwards {after:?}");
                return Err(Finding::new(text));
            }
        } else {
            disk.clear(&server)?;
        }
        number += 1;
        put_all(&client, &base(&server)?, number).await?;
        let served = Served::read(&client, &base(&server)?).await?;
        if served.number != number {
            return Err(Finding::new(format!("upload {number} is not served: {served:?}")));
        }
    }
    replay(&client, &base(&server)?).await?;
    if report.refused == 0 {
        return Err(Finding::new("the disk was never full"));
    }
    Ok(report)
}

/// Uploads on a full disk: it changes everything or nothing, and reads go on.
async fn try_upload(
    client: &Client,
    server: &Replica,
    number: u64,
    report: &mut DiskReport,
) -> Result<(), Finding> {
    let base = base(server)?;
    let before = Served::read(client, &base).await?;
    let response = send_all(client, &base, number).await?;
    let after = Served::read(client, &base).await?;
    for path in ["/stats", "/health", "/apps/app-000", "/changes"] {
        client.read(&base, path).await?;
    }
    let is_right = match result_of(&response, "an upload on a full disk")? {
        UploadResult::Acknowledged => {
            report.acknowledged += 1;
            after.number == number
        }
        UploadResult::Refused => {
            report.refused += 1;
            after == before
        }
        UploadResult::Unknown | UploadResult::NotFound => false,
    };
    if is_right {
        return Ok(());
    }
    let text = response.describe();
    Err(Finding::new(format!("upload {number}: {text}; before {before:?}, after {after:?}")))
}

impl fmt::Display for DiskReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rounds, refused, acknowledged, is_mounted } = self;
        let what = if *is_mounted {
            "a tmpfs of 8 MiB"
        } else {
            "the limit of the size of files, because this user may not mount a disk"
        };
        write!(
            formatter,
            "full disk ({what}): filled {rounds} times; {refused} uploads refused, {acknowledged} \
             acknowledged with the room that was left, nothing lost"
        )
    }
}
