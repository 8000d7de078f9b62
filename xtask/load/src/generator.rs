//! The thread that sends requests: it waits for responses, records their latency, and sends again.

use std::{
    io,
    time::{Duration, Instant},
};

use rustix::{
    buffer::spare_capacity,
    event::{Timespec, epoll},
    fd::OwnedFd,
    io::Errno,
    thread::{CpuSet, sched_setaffinity},
};

use crate::{
    Measurement, Plan,
    connection::{Connection, ROOM},
    pauses::Pauses,
};

/// How long it waits for responses after the last request.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Generator<'a> {
    plan: &'a Plan,
    poll: OwnedFd,
    connections: Vec<Connection>,
    pauses: Option<Pauses>,
    /// The number of requests sent.
    asked: usize,
    latencies: Vec<Duration>,
    /// The receive buffer, shared by all connections.
    room: Vec<u8>,
}

impl<'a> Generator<'a> {
    pub(crate) fn new(plan: &'a Plan) -> io::Result<Self> {
        let mut core = CpuSet::new();
        core.set(plan.core);
        sched_setaffinity(None, &core)?;
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut connections = Vec::with_capacity(plan.connections);
        for number in 0..plan.connections {
            connections.push(open(plan, &poll, number)?);
        }
        Ok(Self {
            plan,
            poll,
            connections,
            pauses: plan.pause.map(Pauses::of),
            asked: 0,
            latencies: Vec::with_capacity(1 << 20),
            room: vec![0; ROOM],
        })
    }

    /// Sends requests for the planned duration, and calls `look` at its start and at its end.
    pub(crate) fn run<T>(mut self, look: impl Fn() -> T) -> io::Result<(Measurement, [T; 2])> {
        // The first response of each connection does not count: the server sets up its state.
        for number in 0..self.connections.len() {
            self.ask(number, Instant::now())?;
        }
        self.finish()?;
        self.latencies.clear();

        let at_first = look();
        let started = Instant::now();
        let end = started + self.plan.duration;
        for number in 0..self.connections.len() {
            self.next(number, started)?;
        }
        let mut now = started;
        while now < end {
            while let Some(number) = self.pauses.as_mut().and_then(|pauses| pauses.over(now)) {
                self.ask(number, now)?;
            }
            let wake = self.pauses.as_ref().and_then(Pauses::first).map_or(end, |at| at.min(end));
            for number in self.wait(wake.saturating_duration_since(now))? {
                if let Some(now) = self.receive(number)? {
                    self.next(number, now)?;
                }
            }
            now = Instant::now();
        }
        let (elapsed, at_last) = (started.elapsed(), look());
        let responses = self.latencies.len();
        // Responses that arrive now count for the latency, but not for the throughput.
        self.finish()?;
        self.latencies.sort_unstable();
        Ok((Measurement { elapsed, responses, latencies: self.latencies }, [at_first, at_last]))
    }

    /// Receives until no request is pending.
    fn finish(&mut self) -> io::Result<()> {
        let end = Instant::now() + PATIENCE;
        while self.connections.iter().any(|connection| connection.asked_at.is_some()) {
            if Instant::now() >= end {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "no response in time"));
            }
            for number in self.wait(Duration::from_millis(100))? {
                self.receive(number)?;
            }
        }
        Ok(())
    }

    /// Receives from a connection; returns the time if a response is complete.
    fn receive(&mut self, number: usize) -> io::Result<Option<Instant>> {
        let Some(asked_at) = self.connections[number].receive(&mut self.room)? else {
            return Ok(None);
        };
        let now = Instant::now();
        self.latencies.push(now - asked_at);
        Ok(Some(now))
    }

    /// Waits until connections have received something, and returns their numbers.
    fn wait(&self, longest: Duration) -> io::Result<Vec<usize>> {
        // Rounded up to milliseconds: waiting a little too long is better than a busy loop.
        let milliseconds = longest.as_millis() + 1;
        let timeout = Timespec {
            tv_sec: i64::try_from(milliseconds / 1000).unwrap_or(1),
            tv_nsec: i64::try_from(milliseconds % 1000).unwrap_or(0) * 1_000_000,
        };
        let mut events = Vec::with_capacity(self.connections.len());
        match epoll::wait(&self.poll, spare_capacity(&mut events), Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let number = |event: epoll::Event| usize::try_from(event.data.u64()).ok();
        Ok(events.into_iter().filter_map(number).collect())
    }

    /// Sends the next request, now or after a pause.
    fn next(&mut self, number: usize, now: Instant) -> io::Result<()> {
        match &mut self.pauses {
            Some(pauses) => {
                pauses.begin(number, now);
                Ok(())
            }
            None => self.ask(number, now),
        }
    }

    fn ask(&mut self, number: usize, now: Instant) -> io::Result<()> {
        let request = &self.plan.requests[self.asked % self.plan.requests.len()];
        self.asked += 1;
        if self.plan.fresh_connections {
            // Dropping the old connection closes it, which also removes it from the poll.
            self.connections[number] = open(self.plan, &self.poll, number)?;
        }
        self.connections[number].ask(request, now)
    }
}

fn open(plan: &Plan, poll: &OwnedFd, number: usize) -> io::Result<Connection> {
    let connection = Connection::open(plan.address, plan.expects_missing)?;
    let data = epoll::EventData::new_u64(number as u64);
    epoll::add(poll, &connection, data, epoll::EventFlags::IN)?;
    Ok(connection)
}
