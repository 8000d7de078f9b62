//! `appstitch export`: every public answer as files, for a static server.

mod progress;

use std::{
    io::ErrorKind,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Instant, UNIX_EPOCH},
};

use anyhow::{Context, anyhow};
use appstitch_catalog_files::Signer;
use appstitch_export::{Export, ExportError, Summary};
use appstitch_publish::Publisher;
use appstitch_server::{Limits, LocalService, Service, ToolAccess};
use tokio::{runtime::Handle, task::spawn_blocking};

use crate::{
    arguments::ExportFolderArguments, catalog::keys::read_signer, exit::Failure, folder,
    interrupt::interrupted, logging, open_store, words::counted,
};
use progress::Progress;

const LISTED: usize = 20;

pub(crate) async fn run(arguments: ExportFolderArguments) -> Result<(), Failure> {
    logging::start(false)?;
    let started = Instant::now();
    let signer = read_signer(&arguments.signing)?;
    let service = open(&arguments, signer).await?;
    let stop = Arc::new(AtomicBool::new(false));
    let work = {
        let (stop, runtime, folder) = (Arc::clone(&stop), Handle::current(), arguments.folder);
        spawn_blocking(move || {
            let export = Export { service: &service, folder: &folder, program: &program() };
            let progress = Progress::new(stop);
            let done = export.run(&runtime, &progress);
            progress.finish();
            done
        })
    };
    let mut work = std::pin::pin!(work);
    let done = tokio::select! {
        done = &mut work => done,
        () = interrupted() => {
            stop.store(true, Ordering::Relaxed);
            work.await
        }
    };
    let summary = done.map_err(Failure::unreachable)?.map_err(failure)?;
    print_summary(&summary, started);
    Ok(())
}

/// The catalog of the store behind the handlers of a server, without connections.
async fn open(
    arguments: &ExportFolderArguments,
    signer: Option<Signer>,
) -> Result<LocalService, Failure> {
    let address = &arguments.store.store;
    let store = open_store::open_to_read(address).await?;
    let publisher = Publisher::open_to_read(store)
        .await
        .with_context(|| format!("cannot read {address}"))
        .map_err(Failure::unreachable)?;
    let (limits, access) = (Limits::default(), ToolAccess::default());
    let service = Service::new(Arc::new(publisher), None, limits, access);
    let service = service.with_links(arguments.public_url.clone()).with_signer(signer);
    Ok(LocalService::new(service))
}

/// Names this program so that another build of it has another name: it may make other files of the same
/// catalog.
fn program() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata);
    let build = file.ok().map(|file| {
        let changed = file.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let changed = changed.map_or(0, |since| since.as_nanos());
        format!(" {:x}-{changed:x}", file.len())
    });
    format!("appstitch {}{}", env!("CARGO_PKG_VERSION"), build.unwrap_or_default())
}

fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::NotOurs(_) => Failure::wrong_use(error),
        ExportError::Busy(_) => Failure::no(error),
        ExportError::Stopped => {
            Failure::no(anyhow!("interrupted; the previous export is unchanged"))
        }
        // After another error, such as a full disk, the folder of a new release is gone.
        ExportError::Io { ref path, ref source }
            if matches!(
                source.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            let why = folder::problem(folder::of(path)).unwrap_or_else(|| source.to_string());
            Failure::unreachable(anyhow!("cannot write {}: {why}", path.display()))
        }
        ExportError::Io { .. } | ExportError::UnexpectedStatus { .. } => {
            Failure::unreachable(error)
                .hint("the previous export is unchanged; run the command again")
        }
    }
}

fn print_summary(summary: &Summary, started: Instant) {
    let Summary { revision, changed, removed, .. } = summary;
    let addresses = counted(summary.addresses, "address");
    let seconds = started.elapsed().as_secs_f64();
    for address in summary.left_out.iter().take(LISTED) {
        eprintln!("warning: {address} is skipped: its name cannot be the name of a file");
    }
    if let Some(more) = summary.left_out.len().checked_sub(LISTED).filter(|more| *more > 0) {
        eprintln!("warning: {more} more skipped");
    }
    if summary.is_unchanged {
        eprintln!(
            "unchanged: {addresses} of revision {revision}, nothing written in {seconds:.1} s"
        );
        return;
    }
    let kept = summary.addresses - changed;
    let (files, bytes) = (counted(summary.written_files, "file"), megabytes(summary.written_bytes));
    eprintln!(
        "{addresses} of revision {revision}: {changed} changed, {kept} kept, {removed} removed; \
         {files} with {bytes} written in {seconds:.1} s"
    );
}

fn megabytes(bytes: u64) -> String {
    let kilobytes = bytes.div_ceil(1000);
    if kilobytes < 10_000 {
        return format!("{kilobytes} kB");
    }
    format!("{} MB", kilobytes.div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_in_a_unit_that_says_enough() {
        for (bytes, expected) in
            [(0, "0 kB"), (1, "1 kB"), (9_999_000, "9999 kB"), (123_456_789, "124 MB")]
        {
            assert_eq!(megabytes(bytes), expected);
        }
    }

    #[test]
    fn this_build_has_a_name() {
        assert!(program().starts_with("appstitch "));
        assert_eq!(program(), program());
    }
}
