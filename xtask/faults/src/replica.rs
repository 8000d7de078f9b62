//! One server as a child process that is killed, paused and started again.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader},
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    Finding,
    client::TOKEN,
    processes::{Signal, send},
};

/// How long a server may take to start: its database may have to recover first.
const START: Duration = Duration::from_mins(3);

#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program and what comes before `serve`.
    pub(crate) command: Vec<String>,
    pub(crate) store: String,
    pub(crate) log: PathBuf,
    /// Where it answers. Port 0 is another one after each start.
    pub(crate) listen: SocketAddr,
    /// What else `serve` gets.
    pub(crate) arguments: Vec<String>,
}

impl Launch {
    /// A server with a port of its own.
    pub(crate) fn new(command: Vec<String>, store: String, log: PathBuf) -> Self {
        let listen = (Ipv4Addr::LOCALHOST, 0).into();
        Self { command, store, log, listen, arguments: Vec::new() }
    }
}

/// A server that comes and goes.
pub(crate) struct Replica {
    pub(crate) name: String,
    launch: Launch,
    running: Mutex<Option<Running>>,
    /// Counts the beginnings and ends of disturbances, so it is odd during one.
    disturbances: AtomicU64,
}

struct Running {
    process: Child,
    base: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Replica {
    pub(crate) fn new(name: String, launch: Launch) -> Self {
        Self { name, launch, running: Mutex::default(), disturbances: AtomicU64::new(1) }
    }

    /// Starts the server, and waits until it answers.
    pub(crate) async fn start(&self) -> Result<(), Finding> {
        let mut process = self.spawn()?;
        let id = process.id();
        let Some(output) = process.stdout.take() else {
            return Err(Finding::new("a server has no output"));
        };
        let first_line = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).map(|_| line)
        });
        let line = match tokio::time::timeout(START, first_line).await {
            Ok(line) => line??,
            Err(_) => String::new(),
        };
        let Some(base) = line.trim_end().strip_prefix("listening on ") else {
            send(id, Signal::KILL);
            let _ = process.wait();
            let log = self.launch.log.display();
            return Err(Finding::new(format!("{} does not start; see {log}", self.name)));
        };
        *self.running() = Some(Running { process, base: base.to_owned() });
        self.settle();
        Ok(())
    }

    fn spawn(&self) -> Result<Child, Finding> {
        let Some((program, before)) = self.launch.command.split_first() else {
            return Err(Finding::new("there is no program to start"));
        };
        let log = || -> Result<File, Finding> {
            Ok(OpenOptions::new().create(true).append(true).open(&self.launch.log)?)
        };
        let mut command = Command::new(program);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("APPSTITCH_")) {
            command.env_remove(name);
        }
        command
            .args(before)
            .args(["serve", "--listen", &self.launch.listen.to_string(), "--no-sample", "--store"])
            .arg(&self.launch.store)
            .args(&self.launch.arguments)
            .env("APPSTITCH_DEPLOY_TOKEN", TOKEN)
            .env("APPSTITCH_LOG", "warn")
            // The machine may be busy, and uploads at idle priority would starve.
            .env("APPSTITCH_REFRESH_PRIORITY", "normal")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log()?);
        Ok(command.spawn()?)
    }

    /// Where the server answers; `None` while it does not run.
    pub(crate) fn base(&self) -> Option<String> {
        self.running().as_ref().map(|running| running.base.clone())
    }

    pub(crate) fn process(&self) -> Option<u32> {
        self.running().as_ref().map(|running| running.process.id())
    }

    pub(crate) fn kill(&self) {
        self.disturb();
        drop(self.running().take());
    }

    pub(crate) fn pause(&self) {
        self.disturb();
        self.signal(Signal::STOP);
    }

    /// Lets a paused process go on.
    pub(crate) fn go_on(&self) {
        self.signal(Signal::CONT);
        self.settle();
    }

    fn signal(&self, signal: Signal) {
        if let Some(process) = self.process() {
            send(process, signal);
        }
    }

    /// The number of this time without a disturbance; `None` during one.
    pub(crate) fn calm(&self) -> Option<u64> {
        let count = self.disturbances.load(Ordering::SeqCst);
        count.is_multiple_of(2).then_some(count)
    }

    fn disturb(&self) {
        if self.calm().is_some() {
            self.disturbances.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn settle(&self) {
        if self.calm().is_none() {
            self.disturbances.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
