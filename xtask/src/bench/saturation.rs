//! Saturates a server for minutes while its catalog keeps changing, and checks that no request
//! fails and that the memory does not grow.

mod mix;

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use appstitch_load::{Measurement, Plan};

use super::{
    catalog::{self, Stored},
    effort::LOADING,
    figures::{megabytes, with_commas},
    http::Request,
    process::Process,
    server::Server,
    upload::Upload,
};
use crate::run::Failure;
use mix::Mix;

/// The windows of a minute. Each has a line in the report.
const WINDOWS_A_MINUTE: u32 = 2;

/// The parts of a window: first connections stay open, then each request has a new one.
const KEEP_ALIVE: Duration = Duration::from_secs(27);
const FRESH: Duration = Duration::from_secs(3);

const BETWEEN_CHANGES: Duration = Duration::from_secs(3);

const CONNECTIONS: usize = 32;

/// The pause between two looks at the memory.
const WATCHING: Duration = Duration::from_millis(100);

/// The pause after a window, without requests and changes, before the memory at rest is taken.
const SETTLING: Duration = Duration::from_secs(3);

/// The pause after the last window, before the memory is compared with that of a new process.
const RETURNING: Duration = Duration::from_secs(10);

/// How much more memory a server may use after the load than a new process with the same store: it keeps
/// what it made for the last revision.
const KEPT_BYTES: u64 = 100_000_000;

/// How much more memory the second half may use at rest than the first half: a tenth and a fixed
/// amount, because the allocator returns memory in its own time.
const MARGIN_PARTS: u64 = 10;
const MARGIN_BYTES: u64 = 16_000_000;

const HEADER: &str = "\
| window | requests | /s | median | p99 | longest | new connections: p99 | longest | changes | memory at rest | highest | body files |
|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

/// Runs for this many minutes and prints a line for each half minute.
pub(super) fn run(minutes: u32) -> Result<(), Failure> {
    let Stored { store, slug, vendor } = catalog::stored()?;
    let server = Server::start(&store, None)?;
    server.ask(&Request::get(&format!("/apps/{slug}")))?;
    println!("memory after the start: {}\n{HEADER}", megabytes(server.process.memory()?.resident));
    let mix = Mix::of(&server, &vendor)?;
    let [newest, older] = catalog::editions()?;
    let changes = Changes {
        server: &server,
        editions: [older, newest],
        turn: Mutex::new(()),
        made: AtomicU32::new(0),
    };
    let windows = (minutes * WINDOWS_A_MINUTE).max(3);
    let watch = Watch::of(&server.process);
    let ended = AtomicBool::new(false);
    let rest = std::thread::scope(|scope| {
        let changing = scope.spawn(|| changes.make_until(&ended));
        let watching = scope.spawn(|| watch.until(&ended));
        let rest = (1..=windows)
            .map(|number| {
                let line = window(&mix, &server, &changes, &watch)?;
                println!("| {number} |{}", line.text);
                Ok(line.at_rest)
            })
            .collect::<Result<Vec<u64>, Failure>>();
        ended.store(true, Ordering::Relaxed);
        let joined = changing.join().and_then(|made| watching.join().map(|seen| made.and(seen)));
        joined.map_err(|_| Failure("a thread of the benchmark panicked".to_owned()))??;
        rest
    })?;
    println!("\nno request failed; {} changes", changes.made.load(Ordering::Relaxed));
    check_memory(&rest)?;
    std::thread::sleep(RETURNING);
    let afterwards = server.process.memory()?.resident;
    server.stop()?;
    let server = Server::start(&store, None)?;
    server.ask(&Request::get(&format!("/apps/{slug}")))?;
    check_returned(afterwards, server.process.memory()?.resident)
}

struct Line {
    text: String,
    at_rest: u64,
}

fn window(
    mix: &Mix,
    server: &Server,
    changes: &Changes<'_>,
    watch: &Watch<'_>,
) -> Result<Line, Failure> {
    let before = changes.made.load(Ordering::Relaxed);
    let keep_alive = send(server, mix.keep_alive(), false, KEEP_ALIVE)?;
    let fresh = send(server, mix.fresh(), true, FRESH)?;
    // Waits for the end of a change, and allows no other.
    let turn = changes.turn.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::sleep(SETTLING);
    let MemoryRange { highest, last } = watch.take();
    let body_files = server.process.deleted_files();
    drop(turn);
    let milliseconds = |measurement: &Measurement, percentage| {
        format!("{:.2} ms", measurement.percentile(percentage).as_secs_f64() * 1e3)
    };
    #[expect(clippy::cast_precision_loss, reason = "a window has far fewer responses")]
    let rate = keep_alive.responses as f64 / keep_alive.elapsed.as_secs_f64();
    let text = format!(
        " {} | {rate:.0} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        with_commas(keep_alive.responses + fresh.responses),
        milliseconds(&keep_alive, 50.0),
        milliseconds(&keep_alive, 99.0),
        milliseconds(&keep_alive, 100.0),
        milliseconds(&fresh, 99.0),
        milliseconds(&fresh, 100.0),
        changes.made.load(Ordering::Relaxed) - before,
        megabytes(last),
        megabytes(highest),
        megabytes(body_files),
    );
    Ok(Line { text, at_rest: last })
}

/// Sends the requests in turn. Any response but a success, a 304 or an expected 404 is an error.
fn send(
    server: &Server,
    requests: Vec<Vec<u8>>,
    fresh_connections: bool,
    duration: Duration,
) -> Result<Measurement, Failure> {
    let failed = |why: &dyn std::fmt::Display| Failure(format!("a request failed: {why}"));
    let plan = Plan {
        address: server.address.parse().map_err(|error| failed(&error))?,
        requests,
        connections: CONNECTIONS,
        fresh_connections,
        expects_missing: true,
        pause: None,
        duration,
        core: LOADING,
    };
    let (measurement, _) = appstitch_load::run(&plan, || ()).map_err(|error| failed(&error))?;
    Ok(measurement)
}

/// Publishes two editions of the catalog in turn.
struct Changes<'a> {
    server: &'a Server,
    editions: [Upload; 2],
    /// Held while a change is made.
    turn: Mutex<()>,
    made: AtomicU32,
}

impl Changes<'_> {
    fn make_until(&self, ended: &AtomicBool) -> Result<(), Failure> {
        while !ended.load(Ordering::Relaxed) {
            let edition = self.made.load(Ordering::Relaxed) % 2;
            let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let summary = self.editions[edition as usize].send(self.server)?;
            drop(turn);
            if !summary.contains("\"changed\":true") {
                return Err(Failure(format!("the upload changed nothing: {summary}")));
            }
            self.made.fetch_add(1, Ordering::Relaxed);
            let next = Instant::now() + BETWEEN_CHANGES;
            while Instant::now() < next && !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        Ok(())
    }
}

/// Compares the highest memory at rest of both halves. The first window does not count: in it, the
/// server makes the bodies that it keeps.
fn check_memory(at_rest: &[u64]) -> Result<(), Failure> {
    let counted = at_rest.get(1..).unwrap_or_default();
    let (first, second) = counted.split_at(counted.len() / 2);
    let highest = |half: &[u64]| half.iter().copied().max().unwrap_or_default();
    let (first, second) = (highest(first), highest(second));
    let allowed = first + first / MARGIN_PARTS + MARGIN_BYTES;
    let text = format!(
        "memory at rest: {} in the first half, {} in the second half",
        megabytes(first),
        megabytes(second)
    );
    if second > allowed {
        return Err(Failure(format!("{text}, more than {}", megabytes(allowed))));
    }
    println!("{text}");
    Ok(())
}

/// Compares the memory after the load with that of a new process on the same store.
fn check_returned(afterwards: u64, restarted: u64) -> Result<(), Failure> {
    let text = format!(
        "memory after the load: {}, after a restart: {}",
        megabytes(afterwards),
        megabytes(restarted)
    );
    if afterwards > restarted + KEPT_BYTES {
        return Err(Failure(format!("{text}; {} are not given back", megabytes(KEPT_BYTES))));
    }
    println!("{text}");
    Ok(())
}

/// The memory of a process over some time, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct MemoryRange {
    highest: u64,
    last: u64,
}

struct Watch<'a> {
    process: &'a Process,
    seen: Mutex<MemoryRange>,
}

impl<'a> Watch<'a> {
    fn of(process: &'a Process) -> Self {
        Self { process, seen: Mutex::default() }
    }

    fn until(&self, ended: &AtomicBool) -> Result<(), Failure> {
        while !ended.load(Ordering::Relaxed) {
            let last = self.process.memory()?.resident;
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            *seen = MemoryRange { highest: seen.highest.max(last), last };
            drop(seen);
            std::thread::sleep(WATCHING);
        }
        Ok(())
    }

    /// The memory since the last call.
    fn take(&self) -> MemoryRange {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_flat(megabytes: &[u64]) -> bool {
        let at_rest: Vec<u64> = megabytes.iter().map(|megabytes| megabytes * 1_000_000).collect();
        check_memory(&at_rest).is_ok()
    }

    #[test]
    fn memory_that_is_not_given_back_is_a_failure() {
        assert!(check_returned(150_000_000, 90_000_000).is_ok());
        assert!(check_returned(267_000_000, 90_000_000).is_err());
    }

    #[test]
    fn memory_that_grows_is_a_failure() {
        assert!(is_flat(&[50, 100, 120, 119, 121]), "the first window does not count");
        assert!(is_flat(&[50, 100, 120, 90, 148]), "within the margin");
        assert!(!is_flat(&[50, 100, 120, 140, 149]));
    }
}
