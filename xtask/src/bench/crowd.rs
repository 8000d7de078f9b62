//! What a crowd can do to others, with the default limits: clients that ask for the most expensive reads
//! in a loop, and clients that ask and read nothing.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::{
    catalog::{self, Stored},
    figures::megabytes,
    http::Request,
    server::Server,
};
use crate::run::Failure;

/// How many connections ask for expensive reads, and for how long.
const GREEDY: usize = 100;
const LENGTH: Duration = Duration::from_secs(10);

/// The longest that 99 of 100 reads of others may take meanwhile.
const ENOUGH: Duration = Duration::from_millis(50);

/// How many connections read nothing, and how many addresses they come from: more than one address may
/// have.
const SILENT: usize = 10_000;
const ADDRESSES: usize = 4;

/// How often each of them asks, so that the system cannot keep all answers.
const ASKED: usize = 12;

const WATCHED: Duration = Duration::from_secs(15);

const LIMIT: u64 = 1 << 30;

const HEADER: &str = "\
| With the default limits | p99 of `/health` | p99 of a record | longest | answered | refused |
|---|---:|---:|---:|---:|---:|";

fn expensive(slug: &str, vendor: &str) -> Vec<String> {
    let paths = [
        "/changes?since=0&limit=1000&squash=true".to_owned(),
        "/changes?since=0&limit=1000".to_owned(),
        "/search?q=a&limit=1000".to_owned(),
        "/search?q=com&limit=1000".to_owned(),
        format!("/apps?source=cask_catalog&vendor={vendor}&limit=1000"),
        format!("/compare?slugs={slug},firefox,slack,zoom"),
        "/feed.atom".to_owned(),
    ];
    paths.map(|path| Request::get(&path).text()).into()
}

pub(super) fn section() -> Result<String, Failure> {
    let Stored { store, slug, vendor } = catalog::stored()?;
    let server = Server::start_with_defaults(&store)?;
    let address: SocketAddr = server.address.parse().map_err(|_| failed("no address"))?;
    let expensive = expensive(&slug, &vendor);
    let idle = probe(address, &slug, &AtomicBool::new(false), Duration::from_secs(2))?;
    let base = server.process.memory()?.resident;
    let greedy = greedy(address, &slug, &expensive)?;
    let silent = silent(&server, address, &slug, &expensive)?;
    let rows = [
        format!("| nobody else | {} | | |", idle.text()),
        format!(
            "| {GREEDY} connections ask for the most expensive reads | {} | {} | {} |",
            greedy.probe.text(),
            greedy.answered,
            greedy.refused
        ),
        format!(
            "| {SILENT} connections ask for them and read nothing | {} | | |",
            silent.probe.text()
        ),
    ];
    let memory = format!(
        "Memory: {} before, at most {} while {} connections read nothing; the limit is {}.",
        megabytes(base),
        megabytes(silent.peak),
        silent.open,
        megabytes(LIMIT)
    );
    let text = format!("{HEADER}\n{}\n\n{memory}\n", rows.join("\n"));
    if greedy.probe.p99().max(silent.probe.p99()) > ENOUGH {
        return Err(Failure(format!("others waited for more than 50 ms\n{text}")));
    }
    if silent.peak.saturating_sub(base) > LIMIT {
        return Err(Failure(format!("unread responses take more than the memory limit\n{text}")));
    }
    Ok(text)
}

fn failed(why: &str) -> Failure {
    Failure(why.to_owned())
}

/// What somebody else sees: a new connection for each request.
struct Probe {
    health: Vec<Duration>,
    record: Vec<Duration>,
}

impl Probe {
    fn p99(&self) -> Duration {
        percentile(&self.health).max(percentile(&self.record))
    }

    fn text(&self) -> String {
        let longest = self.health.iter().chain(&self.record).max().copied().unwrap_or_default();
        let show = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
        format!(
            "{} | {} | {}",
            show(percentile(&self.health)),
            show(percentile(&self.record)),
            show(longest)
        )
    }
}

fn percentile(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}

/// Asks until the time is over or `ended` is set.
fn probe(
    address: SocketAddr,
    slug: &str,
    ended: &AtomicBool,
    length: Duration,
) -> Result<Probe, Failure> {
    let mut probe = Probe { health: Vec::new(), record: Vec::new() };
    let end = Instant::now() + length;
    while Instant::now() < end && !ended.load(Ordering::Relaxed) {
        probe.health.push(ask(address, "/health")?);
        probe.record.push(ask(address, &format!("/apps/{slug}"))?);
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(probe)
}

/// How long one request takes over a new connection of another client.
fn ask(address: SocketAddr, path: &str) -> Result<Duration, Failure> {
    let started = Instant::now();
    let answer = || -> std::io::Result<Vec<u8>> {
        let mut stream = appstitch_load::connect_from(Ipv4Addr::new(127, 0, 0, 99), address)?;
        let request = Request::get(path).with("connection", "close").text();
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    };
    match answer() {
        Ok(answer) if answer.starts_with(b"HTTP/1.1 200") => Ok(started.elapsed()),
        Ok(answer) => Err(failed(&format!("{path}: {}", String::from_utf8_lossy(&answer)))),
        Err(error) => Err(failed(&format!("{path}: {error}"))),
    }
}

/// What happened while clients asked for expensive reads.
struct Greedy {
    probe: Probe,
    answered: usize,
    refused: usize,
}

fn greedy(address: SocketAddr, slug: &str, expensive: &[String]) -> Result<Greedy, Failure> {
    let ended = Arc::new(AtomicBool::new(false));
    let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let clients: Vec<_> = (0..GREEDY)
        .map(|number| {
            let (ended, counts) = (Arc::clone(&ended), Arc::clone(&counts));
            let requests = expensive.to_vec();
            std::thread::spawn(move || ask_in_a_loop(address, &requests, number, &ended, &counts))
        })
        .collect();
    let probe = probe(address, slug, &ended, LENGTH);
    ended.store(true, Ordering::Relaxed);
    for client in clients {
        // A client that cannot go on has asked less.
        let _ = client.join();
    }
    let [answered, refused] = [0, 1].map(|number| counts[number].load(Ordering::Relaxed));
    Ok(Greedy { probe: probe?, answered, refused })
}

fn ask_in_a_loop(
    address: SocketAddr,
    requests: &[String],
    number: usize,
    ended: &AtomicBool,
    counts: &[AtomicUsize; 2],
) -> std::io::Result<()> {
    let mut room = vec![0; 1 << 16];
    let mut turn = number;
    while !ended.load(Ordering::Relaxed) {
        let mut stream = TcpStream::connect(address)?;
        // A few requests, then a new connection: the first one of a connection is special.
        for _ in 0..4 {
            stream.write_all(requests[turn % requests.len()].as_bytes())?;
            turn += 1;
            let status = read_answer(&mut stream, &mut room)?;
            counts[usize::from(status != 200)].fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

fn read_answer(stream: &mut TcpStream, room: &mut [u8]) -> std::io::Result<u16> {
    let mut head = Vec::new();
    let (end, length) = loop {
        let count = stream.read(room)?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        head.extend_from_slice(&room[..count]);
        if let Some(end) = head.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let text = String::from_utf8_lossy(&head[..end]).into_owned();
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
            break (end + 4, length.and_then(|length| length.parse().ok()).unwrap_or(0));
        }
    };
    let mut missing = (end + length).saturating_sub(head.len());
    while missing > 0 {
        let most = missing.min(room.len());
        match stream.read(&mut room[..most])? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            count => missing -= count,
        }
    }
    let status = String::from_utf8_lossy(&head[..end]);
    Ok(status.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0))
}

/// What happened while clients read nothing.
struct Silent {
    probe: Probe,
    peak: u64,
    open: usize,
}

fn silent(
    server: &Server,
    address: SocketAddr,
    slug: &str,
    expensive: &[String],
) -> Result<Silent, Failure> {
    let mut streams = Vec::with_capacity(SILENT);
    let mut peak = 0;
    for number in 0..SILENT {
        let from = u8::try_from(number % ADDRESSES + 2).unwrap_or(2);
        let from = Ipv4Addr::new(127, 0, 0, from);
        let stream = appstitch_load::connect_from(from, address);
        let mut stream =
            stream.map_err(|error| failed(&format!("connection {number}: {error}")))?;
        let requests: String =
            (0..ASKED).map(|turn| expensive[(number + turn) % expensive.len()].as_str()).collect();
        // It may have been closed to make room.
        let _ = stream.write_all(requests.as_bytes());
        streams.push(stream);
        if number % 100 == 0 {
            peak = peak.max(server.process.memory()?.resident);
        }
    }
    let end = Instant::now() + WATCHED;
    let mut all = Probe { health: Vec::new(), record: Vec::new() };
    while Instant::now() < end {
        let more = probe(address, slug, &AtomicBool::new(false), Duration::from_millis(100))?;
        all.health.extend(more.health);
        all.record.extend(more.record);
        peak = peak.max(server.process.memory()?.resident);
    }
    Ok(Silent { probe: all, peak, open: streams.len() })
}
