//! Reads the options, runs what they ask for and prints the results.

use std::{
    env,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use appstitch_faults::{
    FailoverPlan, Finding, KillPlan, ReplicaPlan, disturb_mirrors, disturb_replicas, fail_over,
    fill_disk, kill_during_uploads,
};

const HELP: &str = include_str!("../help.txt");

/// How often the disk is filled.
const DISK_ROUNDS: u64 = 20;

struct Options {
    postgres: bool,
    sqlite: bool,
    mirrors: bool,
    minutes: f64,
    kills: u64,
    failovers: u64,
    seed: u64,
    program: PathBuf,
}

pub(super) fn run() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|argument| matches!(argument.as_str(), "--help" | "-h")) {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::read(&arguments) {
        Ok(options) => options,
        Err(why) => {
            eprintln!("error: {why}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("seed: {}", options.seed);
    match runtime.block_on(options.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(finding) => {
            eprintln!("FOUND with seed {}: {finding}", options.seed);
            ExitCode::FAILURE
        }
    }
}

impl Options {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            postgres: true,
            sqlite: true,
            mirrors: true,
            minutes: 3.0,
            kills: 200,
            failovers: 20,
            seed: new_seed(),
            program: beside_this_program(),
        };
        let mut arguments = arguments.iter();
        while let Some(name) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            let invalid = || format!("invalid value of {name}: {value}");
            match name.as_str() {
                "--minutes" => {
                    let minutes =
                        value.parse().ok().filter(|minutes| (0.0..=1e5).contains(minutes));
                    options.minutes = minutes.ok_or_else(invalid)?;
                }
                "--failovers" => options.failovers = value.parse().map_err(|_| invalid())?,
                "--kills" => options.kills = value.parse().map_err(|_| invalid())?,
                "--seed" => options.seed = value.parse().map_err(|_| invalid())?,
                "--program" => options.program = value.into(),
                "--only" => {
                    let parts = [&mut options.postgres, &mut options.sqlite, &mut options.mirrors];
                    let names = ["postgres", "sqlite", "mirrors"];
                    if !names.contains(&value.as_str()) {
                        return Err(invalid());
                    }
                    for (part, name) in parts.into_iter().zip(names) {
                        *part = name == value;
                    }
                }
                _ => return Err(format!("unknown option {name}")),
            }
        }
        Ok(options)
    }

    async fn run(&self) -> Result<(), Finding> {
        if self.postgres {
            println!("three servers on PostgreSQL, {} minutes", self.minutes);
            println!("{}\n", disturb_replicas(&self.replica_plan()).await?);
            println!("three servers on PostgreSQL with a standby, {} failovers", self.failovers);
            let (program, seed, rounds) = (self.program.clone(), self.seed, self.failovers);
            println!("{}\n", fail_over(&FailoverPlan { program, seed, rounds }).await?);
        }
        if self.sqlite {
            println!("one server on SQLite, {} kills", self.kills);
            let (program, seed, kills) = (self.program.clone(), self.seed, self.kills);
            let plan = KillPlan { program, seed, kills };
            println!("{}", kill_during_uploads(&plan).await?);
            println!("{}\n", fill_disk(&plan, DISK_ROUNDS).await?);
        }
        if self.mirrors {
            println!("an origin, its mirror and a mirror of that, {} minutes", self.minutes);
            println!("{}", disturb_mirrors(&self.replica_plan()).await?);
        }
        Ok(())
    }

    fn replica_plan(&self) -> ReplicaPlan {
        ReplicaPlan {
            program: self.program.clone(),
            seed: self.seed,
            time: Duration::from_secs_f64(self.minutes * 60.0),
            prints: true,
        }
    }
}

/// A seed that is short enough to be typed.
fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_millis().try_into().unwrap_or(u64::MAX) % 1_000_000
}

fn beside_this_program() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    program.with_file_name("appstitch")
}
