//! Runs every hostile label with the usual limits and prints which ones take longest:
//! `cargo run --release --package appstitch-labels --example hostile_labels`.

use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

use appstitch_hostile::{Case, cases};
use appstitch_labels::{
    Architecture, Budget, Mac, Network, Request, Response, Stopped, Used, resolve,
};

struct Site(String);

impl Network for Site {
    fn fetch(&mut self, _: &Request) -> Result<Response, Stopped> {
        Ok(Response { status: 200, headers: Vec::new(), body: self.0.clone() })
    }
}

fn run(case: &Case) -> (Duration, Used) {
    let label = format!("app)\n{}\n;;\n", case.label);
    let mac = Mac::new(Architecture::Arm64);
    let started = Instant::now();
    let resolved = resolve(&label, "app", &mac, &mut Site(case.body.clone()), Budget::default());
    (started.elapsed(), resolved.map(|resolved| resolved.used).unwrap_or_default())
}

fn main() {
    let cases = cases();
    let mut runs: Vec<_> = cases.iter().map(|case| (run(case), case)).collect();
    runs.sort_by_key(|((time, _), _)| Reverse(*time));
    println!("{} labels; the longest:", runs.len());
    for ((time, used), case) in runs.iter().take(10) {
        let start: String = case.label.chars().take(80).collect();
        let Used { steps, bytes, .. } = used;
        println!("{time:9.2?}  {steps:8} steps  {bytes:10} bytes  {}: {start:?}", case.name);
    }
}
