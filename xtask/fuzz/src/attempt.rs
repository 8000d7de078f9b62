//! One execution of a target, watched: panics, time and memory.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
    time::{Duration, Instant},
};

use appstitch_probe::memory;

use crate::{
    failure::Failure,
    target::{Target, TargetEntry},
};

thread_local! {
    /// Whether this thread runs an input, whose panics are noted and not printed.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes the place of a panic of an input instead of printing it.
pub(crate) fn hide_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if IS_RUNNING.get() {
                PLACE.set(info.location().map(ToString::to_string).unwrap_or_default());
            } else {
                print(info);
            }
        }));
    });
}

/// What an execution took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) time: Duration,
    pub(crate) memory: usize,
}

/// A target with its limits.
pub(crate) struct Runner {
    entry: &'static TargetEntry,
    target: Box<dyn Target>,
}

impl Runner {
    pub(crate) fn open(entry: &'static TargetEntry) -> Result<Self, String> {
        Ok(Self { entry, target: (entry.open)()? })
    }

    pub(crate) fn entry(&self) -> &'static TargetEntry {
        self.entry
    }

    pub(crate) fn target(&mut self) -> &mut dyn Target {
        &mut *self.target
    }

    /// Runs one input.
    pub(crate) fn run(&mut self, input: &[u8]) -> (Cost, Option<Failure>) {
        let (cost, failure) = self.run_once(input);
        let failure = failure.or_else(|| self.excess(input, cost));
        if matches!(failure, Some(Failure::Panic { .. })) {
            // What it holds may be half done. If it cannot be opened again, the next inputs tell.
            if let Ok(target) = (self.entry.open)() {
                self.target = target;
            }
        }
        (cost, failure)
    }

    fn run_once(&mut self, input: &[u8]) -> (Cost, Option<Failure>) {
        memory::start();
        let started = Instant::now();
        IS_RUNNING.set(true);
        let result = catch_unwind(AssertUnwindSafe(|| self.target.check(input)));
        IS_RUNNING.set(false);
        let time = started.elapsed();
        let cost = Cost { time, memory: memory::peak() };
        let failure = match result {
            Ok(Ok(())) => None,
            Ok(Err(property)) => Some(Failure::Property(property)),
            Err(panic) => Some(Failure::Panic { place: PLACE.take(), message: message(&*panic) }),
        };
        (cost, failure)
    }

    /// Whether the execution took too much. On a busy machine any execution may take long: it did if
    /// it does so three times.
    fn excess(&mut self, input: &[u8], cost: Cost) -> Option<Failure> {
        if cost.memory > self.entry.memory {
            return Some(Failure::Memory(cost.memory));
        }
        let mut least = cost.time;
        for _ in 0..2 {
            if least <= self.entry.time {
                return None;
            }
            least = least.min(self.run_once(input).0.time);
        }
        (least > self.entry.time).then_some(Failure::Slow(least))
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
    text.unwrap_or_default()
}
