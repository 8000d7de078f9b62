//! Hostile labels and answers end within their budget and within memory, with a reason.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use appstitch_hostile::cases;
use appstitch_labels::{
    Architecture, Budget, Mac, Network, Request, Response, Stopped, Used, resolve,
};

struct Site(String);

impl Network for Site {
    fn fetch(&mut self, _: &Request) -> Result<Response, Stopped> {
        Ok(Response { status: 200, headers: Vec::new(), body: self.0.clone() })
    }
}

/// What looks large, and is not too much.
const HARMLESS: [&str; 6] = [
    "unclosed braces",
    "braces without alternatives",
    "a field for every word",
    "backticks",
    "sed",
    "JSON paths",
];

/// Fewer steps than by default: tests are not optimized.
const STEPS: u64 = 500_000;
const BYTES: u64 = 128 << 20;

fn budget() -> Budget {
    Budget::new(STEPS, BYTES, 64)
}

/// In megabytes; zero except on Linux.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

#[test]
fn hostile_labels_end_with_a_reason() {
    let mac = Mac::new(Architecture::Arm64);
    let cases = cases();
    let before = peak_memory();
    let mut wrong = Vec::new();
    for case in &cases {
        let label = format!("app)\n{}\n;;\n", case.label);
        let mut network = Site(case.body.clone());
        let resolved = resolve(&label, "app", &mac, &mut network, budget());
        let memory = peak_memory() - before;
        // What cannot be parsed has a reason for the whole label.
        let (reason, used) = match resolved {
            Err(stopped) => (Some(stopped), Used::default()),
            Ok(resolved) => (resolved.values.into_values().find_map(Result::err), resolved.used),
        };
        let reason = reason.map(|stopped| stopped.to_string());
        let start: String = case.label.chars().take(100).collect();
        let line = format!("{used:?}, {memory} MB, {}: {start}: {reason:?}", case.name);
        println!("{line}");
        let has_reason = reason.map_or(HARMLESS.contains(&case.name), |reason| reason.len() < 400);
        let is_within_budget = used.steps <= STEPS && used.bytes <= BYTES;
        if !is_within_budget || memory > 512 || !has_reason {
            wrong.push(line);
        }
    }
    assert!(
        wrong.is_empty(),
        "too many steps or too much memory, or no short reason:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_flag_of_the_caller_ends_a_run() {
    let stop = Arc::new(AtomicBool::new(false));
    let timer = {
        let stop = Arc::clone(&stop);
        std::thread::spawn(move || {
            // Even a busy machine has come to the loop by then.
            std::thread::sleep(Duration::from_secs(1));
            stop.store(true, Ordering::Relaxed);
        })
    };
    let budget = Budget::new(u64::MAX, u64::MAX, 1).stopped_by(stop);
    let label = "app)\ny=1\nwhile true; do x=$(echo a | sed s/a/b/); done\n;;";
    let mac = Mac::new(Architecture::Arm64);
    let resolved = resolve(label, "app", &mac, &mut Site(String::new()), budget).unwrap();
    timer.join().unwrap();
    let reason = Stopped::TooMuch("the label takes too much time");
    assert_eq!(resolved.value("x"), Some(Err(&reason)));
    assert_eq!(resolved.value("y"), Some(Ok("1")), "what was found before stays");
}

#[test]
fn a_document_that_is_too_deep_stops_only_its_own_value() {
    let label = "app)\nx=$(curl -s e.com | xmllint --xpath //a -)\ny=2\n;;";
    let mut network = Site("<a>".repeat(1000));
    let mac = Mac::new(Architecture::Arm64);
    let resolved = resolve(label, "app", &mac, &mut network, budget()).unwrap();
    assert_eq!(resolved.value("x"), Some(Err(&Stopped::TooMuch("the XML is nested too deeply"))));
    assert_eq!(resolved.value("y"), Some(Ok("2")));
}
