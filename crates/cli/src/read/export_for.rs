//! `appstitch export-for`: apps as files for another tool.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::{self, BufRead, Read},
    path::Path,
};

use anyhow::{Context, anyhow};
use appstitch_client::{Client, ExportQuery};
use appstitch_exports::{ExportFormat, REPORT, ReportLine, read_report};
use flate2::read::GzDecoder;

use super::request::{client, failure, get_of_app, known};
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
    if slugs.is_empty() && !arguments.all {
        return Err(Failure::wrong_use(anyhow!("no slugs on standard input")));
    }
    let output = arguments.output.as_deref();
    match output {
        Some(file) if is_archive(file) && arguments.all => {
            let archive = fetch(&client, format, &ExportQuery::default()).await?;
            whole_file::write(file, &archive).map_err(|error| cannot_write(file, error))?;
            summarize(&unpack(&archive, None)?);
            Ok(())
        }
        Some(file) if is_archive(file) => write_picked(&client, format, &slugs, file).await,
        Some(folder) if arguments.all => {
            let archive = fetch(&client, format, &ExportQuery::default()).await?;
            summarize(&unpack(&archive, Some(folder))?);
            Ok(())
        }
        Some(folder) => write_each(&client, format, &slugs, folder).await,
        None => match slugs.as_slice() {
            [slug] => {
                let (_, text) = get(&client, format, slug).await?;
                warn(&client, format, slug).await?;
                exit::print(&text)
            }
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

/// Writes an archive of some apps. The server leaves out what it does not know, so each is looked up.
async fn write_picked(
    client: &Client,
    format: ExportFormat,
    names: &[String],
    file: &Path,
) -> Result<(), Failure> {
    if names.len() > MOST_SLUGS {
        let error = anyhow!("an archive is for at most {MOST_SLUGS} apps, or for all of them");
        return Err(Failure::wrong_use(error).hint("name a folder, or use --all"));
    }
    let mut slugs = Vec::new();
    for name in names {
        match get_of_app(client, name, "", &[]).await {
            Ok(app) => {
                let slug = app.canonical_slug.as_ref().map_or(name.as_str(), |slug| slug.as_str());
                slugs.push(slug.to_owned());
            }
            Err(failure) if failure.code == exit::NO => eprintln!("{failure}"),
            Err(failure) => return Err(failure),
        }
    }
    let mut left_out = names.len() - slugs.len();
    if !slugs.is_empty() {
        let archive = fetch(client, format, &ExportQuery::slugs(slugs)).await?;
        whole_file::write(file, &archive).map_err(|error| cannot_write(file, error))?;
        for line in unpack(&archive, None)?.iter().filter(|line| line.file.is_none()) {
            left_out += 1;
            let (slug, title, reasons) = (&line.slug, format.title(), &line.reasons);
            let refused = anyhow!("App '{slug}' cannot be exported as {title}: {reasons}");
            eprintln!("{}", Failure::no(refused));
        }
    }
    all_exported(names.len(), left_out)
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

/// Prints what to check before a file is used. Some formats have no place for it in the file.
async fn warn(client: &Client, format: ExportFormat, slug: &str) -> Result<(), Failure> {
    let Some(known) = client.get_app_exports(slug).await.map_err(failure)? else { return Ok(()) };
    let warnings = known.exports.iter().filter(|state| state.format == format.name());
    for warning in warnings.flat_map(|state| &state.warnings) {
        eprintln!("warning: {slug}: {warning}");
    }
    Ok(())
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
                warn(client, format, slug).await?;
            }
            Err(failure) if failure.code == exit::NO => {
                left_out += 1;
                eprintln!("{failure}");
            }
            Err(failure) => return Err(failure),
        }
    }
    all_exported(slugs.len(), left_out)
}

/// Whoever names apps wants all of them.
fn all_exported(all: usize, left_out: usize) -> Result<(), Failure> {
    if left_out == 0 {
        return Ok(());
    }
    Err(Failure::answer(format!("{} of {all} apps exported", all.saturating_sub(left_out))))
}

/// Prints how many apps have a file, and how many lack one for which reason.
fn summarize(report: &[ReportLine]) {
    let made = report.iter().filter(|line| line.file.is_some()).count();
    eprintln!("{made} of {} apps exported", report.len());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for code in report.iter().flat_map(|line| &line.codes) {
        *counts.entry(code).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let counts: Vec<String> =
        counts.into_iter().map(|(code, count)| format!("{code} {count}")).collect();
    if !counts.is_empty() {
        eprintln!("not exported: {}", counts.join(", "));
    }
}

/// The report of an archive. Writes the files to a folder, if there is one: only their names are used, not
/// their folders. The report is not one of them, because tools read every file of a folder.
fn unpack(archive: &[u8], folder: Option<&Path>) -> Result<Vec<ReportLine>, Failure> {
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    }
    let mut report = Vec::new();
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
        if name == OsStr::new(REPORT) {
            report = read_report(&String::from_utf8_lossy(&bytes));
        } else if let Some(folder) = folder {
            let file = folder.join(name);
            whole_file::write(&file, &bytes).map_err(|error| cannot_write(&file, error))?;
        }
    }
    Ok(report)
}

fn cannot_write(file: &Path, error: io::Error) -> Failure {
    Failure::wrong_use(anyhow!("cannot write {}: {error}", file.display()))
}
