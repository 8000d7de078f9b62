//! The loop: make inputs, run them, keep those that reach something new.

use std::time::{Duration, Instant};

use appstitch_hostile::Chance;

use crate::{
    attempt::{Cost, Runner},
    batch_file::BatchFile,
    corpus,
    coverage::Coverage,
    failures::{Failures, work_folder},
    mutation::Mutator,
    options::Effort,
    outcome::Outcome,
    target::TargetEntry,
    watchdog::Watchdog,
};

/// How many inputs run between two looks at the counters. A look takes longer than most inputs.
const BATCH: u64 = 512;

/// Of all executions, at most one in so many is repeated to find out which input of a batch reached
/// something new.
const REPEATED: u64 = 8;

/// In the beginning every batch is looked at, and later one in so many: there is less to find.
const BEGINNING: u64 = 200_000;
const LOOKED_AT: u64 = 8;

/// A look at the counters takes about as long as so many executions.
const LOOK: u64 = 16;

/// One in so many inputs is made by the target's grammar, and one in so many may be long. Both take
/// much longer than others.
const GENERATED: usize = 32;
const LONG: usize = 64;

/// So many kept inputs are looked at for one that is short enough.
const PICKS: usize = 4;

/// More kept inputs than most targets find; then new ones replace old ones.
const MOST_KEPT: usize = 5000;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(30);

/// A run of one target.
pub struct Engine {
    runner: Runner,
    mutator: Mutator,
    chance: Chance,
    kept: Vec<Vec<u8>>,
    coverage: Coverage,
    failures: Failures,
    watchdog: Watchdog,
    file: Option<BatchFile>,
    has_real_inputs: bool,
    executions: u64,
    /// How many inputs were run again.
    repeated: u64,
    worst: Cost,
}

impl Engine {
    /// Prepares a target. The random choices follow from the seed.
    pub fn open(entry: &'static TargetEntry, seed: u64, watch: Duration) -> Result<Self, String> {
        crate::attempt::hide_panics();
        Ok(Self {
            runner: Runner::open(entry)?,
            mutator: Mutator::new(entry.dictionary),
            chance: Chance::new(seed),
            kept: Vec::new(),
            coverage: Coverage::new(),
            failures: Failures::default(),
            watchdog: Watchdog::start(watch),
            file: None,
            has_real_inputs: false,
            executions: 0,
            repeated: 0,
            worst: Cost::default(),
        })
    }

    /// Writes inputs to a file before they run, for another process to find them.
    pub fn note_inputs(&mut self) -> Result<(), String> {
        let path = work_folder().join(self.runner.entry().name).with_extension("batch");
        let file = BatchFile::create(&path);
        self.file = Some(file.map_err(|error| format!("{}: {error}", path.display()))?);
        Ok(())
    }

    /// Starts from the upstreams' real files as well, if they are there.
    pub fn use_real_inputs(&mut self) {
        self.has_real_inputs = true;
    }

    /// Runs the committed inputs, then made-up ones.
    pub fn run(mut self, effort: Effort) -> Result<Outcome, String> {
        let started = Instant::now();
        self.run_seeds()?;
        let mut told = started;
        while self.executions < effort.executions
            && started.elapsed() < effort.time
            && !self.failures.are_too_many()
        {
            let count = BATCH.min(effort.executions - self.executions);
            let batch: Vec<Vec<u8>> = (0..count).map(|_| self.next_input()).collect();
            self.run_batch(&batch)?;
            if told.elapsed() > TELL_EVERY {
                told = Instant::now();
                self.tell();
            }
        }
        Ok(self.finish(started.elapsed()))
    }

    /// Runs and keeps the inputs that are known.
    fn run_seeds(&mut self) -> Result<(), String> {
        let name = self.runner.entry().name;
        let committed =
            corpus::read(name).map_err(|error| format!("the corpus of {name}: {error}"))?;
        let committed = committed.into_iter().map(|(_, input)| input);
        let mut seeds: Vec<Vec<u8>> = committed.chain(self.runner.target().more_seeds()).collect();
        if self.has_real_inputs {
            seeds.extend(self.runner.target().real_inputs());
        }
        for batch in seeds.chunks(usize::try_from(BATCH).unwrap_or(1)) {
            self.note(batch)?;
            for seed in batch {
                self.run_one(seed);
            }
            self.watchdog.rest();
        }
        self.executions += seeds.len() as u64;
        self.kept = seeds;
        if self.coverage.is_on() && self.coverage.has_new() {
            let reached = self.coverage.counters();
            self.coverage.remember(&reached);
        }
        Ok(())
    }

    fn next_input(&mut self) -> Vec<u8> {
        let chance = &mut self.chance;
        let entry = self.runner.entry();
        if chance.once_in(GENERATED)
            && let Some(mut input) = self.runner.target().generate(chance)
        {
            input.truncate(entry.input_bytes);
            return input;
        }
        // A long input takes many times as long as a short one, and rarely reaches more.
        let most = if chance.once_in(LONG) { entry.input_bytes } else { entry.usual_bytes };
        // What was found lately leads on more often than what is known for long.
        let count = self.kept.len();
        let recent = if chance.once_in(2) { count.min(32) } else { count };
        let input = |place: usize| self.kept.get(place).map(Vec::as_slice).unwrap_or_default();
        let mut picked = input(count - recent + chance.below(recent));
        for _ in 1..PICKS {
            if picked.len() <= most {
                break;
            }
            let next = input(count - recent + chance.below(recent));
            picked = if next.len() < picked.len() { next } else { picked };
        }
        let other = chance.below(count);
        self.mutator.mutate(picked, input(other), most, chance)
    }

    /// Writes inputs to the file before they run.
    fn note(&mut self, inputs: &[Vec<u8>]) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write(inputs).map_err(|error| format!("cannot note the inputs: {error}"))
    }

    fn run_batch(&mut self, batch: &[Vec<u8>]) -> Result<(), String> {
        self.note(batch)?;
        let is_due =
            self.executions < BEGINNING || (self.executions / BATCH).is_multiple_of(LOOKED_AT);
        let looks = self.coverage.is_on() && is_due && self.repeated * REPEATED <= self.executions;
        if looks {
            // What a batch before reached cannot be repeated with this one.
            Coverage::clear();
        }
        for input in batch {
            self.run_one(input);
        }
        self.executions += batch.len() as u64;
        if looks && self.coverage.has_new() {
            let reached = self.coverage.counters();
            self.keep_new(batch);
            // What cannot be repeated, such as the work of another thread, is not looked for again.
            self.coverage.remember(&reached);
        }
        self.watchdog.rest();
        Ok(())
    }

    fn run_one(&mut self, input: &[u8]) {
        self.watchdog.begin();
        let (cost, failure) = self.runner.run(input);
        self.worst.time = self.worst.time.max(cost.time);
        self.worst.memory = self.worst.memory.max(cost.memory);
        if let Some(failure) = failure {
            self.watchdog.rest();
            self.failures.take(&mut self.runner, input, &failure);
        }
    }

    /// Runs inputs that reached a new branch once more, in smaller and smaller groups, and keeps
    /// those that do so alone. A look at the counters takes longer than many inputs.
    fn keep_new(&mut self, inputs: &[Vec<u8>]) {
        Coverage::clear();
        self.repeated += inputs.len() as u64 + LOOK;
        for input in inputs {
            self.watchdog.begin();
            drop(self.runner.run(input));
        }
        if !self.coverage.has_new() {
            return;
        }
        match inputs {
            [] => {}
            [input] => {
                let reached = self.coverage.counters();
                self.coverage.remember(&reached);
                self.keep(input);
            }
            _ => {
                let (first, second) = inputs.split_at(inputs.len() / 2);
                self.keep_new(first);
                self.keep_new(second);
            }
        }
    }

    fn keep(&mut self, input: &[u8]) {
        if self.kept.len() < MOST_KEPT {
            self.kept.push(input.to_vec());
        } else {
            let place = self.chance.below(MOST_KEPT);
            self.kept[place] = input.to_vec();
        }
    }

    fn tell(&self) {
        eprintln!(
            "{}: {} executions, {} branches, {} inputs kept, {} failures",
            self.runner.entry().name,
            self.executions,
            self.coverage.reached(),
            self.kept.len(),
            self.failures.told.len(),
        );
    }

    fn finish(self, elapsed: Duration) -> Outcome {
        Outcome {
            target: self.runner.entry().name.to_owned(),
            executions: self.executions,
            seconds: elapsed.as_secs_f64(),
            slowest_us: u64::try_from(self.worst.time.as_micros()).unwrap_or(u64::MAX),
            peak_bytes: self.worst.memory as u64,
            reached: self.coverage.reached(),
            kept: self.kept.len(),
            failures: self.failures.told,
        }
    }
}
