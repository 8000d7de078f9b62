//! `appstitch export-for`: apps as files for another tool.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    io::{self, BufRead, Read},
    path::Path,
};

use anyhow::{Context, anyhow};
use appstitch_client::{Client, ExportQuery};
use appstitch_exports::ExportFormat;
use flate2::read::GzDecoder;

use super::request::{client, failure, known};
use crate::{
    arguments::ExportForArguments,
    exit::{self, Failure},
    whole_file,
};

/// The most slugs in one request for an archive.
const MOST_SLUGS: usize = 500;

/// The most lines that are read from standard input.
const MOST_LINES: usize = 100_000;

/// The largest file of an app in an archive.
const LARGEST_FILE: u64 = 16 << 20;

pub(crate) async fn run(arguments: ExportForArguments) -> Result<(), Failure> {
    let client = client(&arguments.server)?;
    // The parser of arguments knows the formats.
    let format = ExportFormat::of(&arguments.format)
        .ok_or_else(|| Failure::wrong_use(anyhow!("unknown format '{}'", arguments.format)))?;
    let slugs = listed(&arguments.slugs)?;
    let output = arguments.output.as_deref();
    match output {
        Some(file) if is_archive(file) => {
            let query = if arguments.all { ExportQuery::default() } else { picked(slugs)? };
            let archive = fetch(&client, format, &query).await?;
            whole_file::write(file, &archive).map_err(|error| cannot_write(file, error))
        }
        Some(folder) if arguments.all => {
            let archive = fetch(&client, format, &ExportQuery::default()).await?;
            unpack(&archive, folder)
        }
        Some(folder) => write_each(&client, format, &slugs, folder).await,
        None => match slugs.as_slice() {
            [slug] => exit::print(&get(&client, format, slug).await?.1),
            [] => Err(Failure::wrong_use(anyhow!("no slugs on standard input"))),
            _ => Err(Failure::wrong_use(anyhow!("several apps do not fit into one file"))
                .hint("name a folder or an archive with --output")),
        },
    }
}

/// The slugs of the command, with those of standard input in the place of `-`. Each once.
fn listed(given: &[String]) -> Result<Vec<String>, Failure> {
    let mut slugs = Vec::new();
    for slug in given {
        if slug != "-" {
            slugs.push(slug.clone());
            continue;
        }
        for line in io::stdin().lock().lines().take(MOST_LINES) {
            let line = line.context("cannot read standard input").map_err(Failure::wrong_use)?;
            let slug = line.trim();
            if !slug.is_empty() && !slug.starts_with('#') {
                slugs.push(slug.to_owned());
            }
        }
    }
    let mut seen = BTreeSet::new();
    slugs.retain(|slug| seen.insert(slug.clone()));
    Ok(slugs)
}

fn is_archive(path: &Path) -> bool {
    path.to_string_lossy().ends_with(".tar.gz")
}

fn picked(slugs: Vec<String>) -> Result<ExportQuery, Failure> {
    if slugs.len() > MOST_SLUGS {
        let error = anyhow!("an archive is for at most {MOST_SLUGS} apps, or for all of them");
        return Err(Failure::wrong_use(error).hint("name a folder, or use --all"));
    }
    Ok(ExportQuery::slugs(slugs))
}

async fn fetch(
    client: &Client,
    format: ExportFormat,
    query: &ExportQuery,
) -> Result<Vec<u8>, Failure> {
    let archive = client.export_apps(format.name(), query).await.map_err(failure)?;
    let archive = archive.map(|archive| archive.to_vec());
    archive.ok_or_else(|| Failure::unreachable(anyhow!("the server has no exports")))
}

/// The name of the file of an app, and its text.
async fn get(
    client: &Client,
    format: ExportFormat,
    slug: &str,
) -> Result<(String, String), Failure> {
    let made = client.export_app_raw(slug, format.name()).await;
    let made = known(client, slug, made).await?;
    let name = made.canonical_slug.as_ref().map_or(slug, |slug| slug.as_str());
    Ok((format.file_name(name), made.text().map_err(failure)?))
}

async fn write_each(
    client: &Client,
    format: ExportFormat,
    slugs: &[String],
    folder: &Path,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    let mut left_out = 0;
    for slug in slugs {
        match get(client, format, slug).await {
            Ok((name, text)) => {
                let file = folder.join(name);
                whole_file::write(&file, text.as_bytes())
                    .map_err(|error| cannot_write(&file, error))?;
            }
            Err(failure) if failure.code == exit::NO => {
                left_out += 1;
                eprintln!("{failure}");
            }
            Err(failure) => return Err(failure),
        }
    }
    if left_out == 0 {
        return Ok(());
    }
    let (made, all) = (slugs.len() - left_out, slugs.len());
    Err(Failure::answer(format!("{made} of {all} apps exported")))
}

/// Writes the files of an archive to a folder. Only the names of files are used, not their folders.
fn unpack(archive: &[u8], folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    let mut archive = tar::Archive::new(GzDecoder::new(archive));
    let invalid = |error: io::Error| {
        Failure::unreachable(anyhow!("the server sent a damaged archive: {error}"))
    };
    for entry in archive.entries().map_err(invalid)? {
        let entry = entry.map_err(invalid)?;
        let path = entry.path().map_err(invalid)?.into_owned();
        let Some(name) = path.file_name().filter(|name| *name != OsStr::new("..")) else {
            continue;
        };
        let mut bytes = Vec::new();
        entry.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(invalid)?;
        let file = folder.join(name);
        whole_file::write(&file, &bytes).map_err(|error| cannot_write(&file, error))?;
    }
    Ok(())
}

fn cannot_write(file: &Path, error: io::Error) -> Failure {
    Failure::wrong_use(anyhow!("cannot write {}: {error}", file.display()))
}
