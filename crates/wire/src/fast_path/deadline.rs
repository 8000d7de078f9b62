//! A time limit that is moved often and rarely reached.
//!
//! Setting a timer costs a good part of what a read costs. So the timer is left running, and only
//! when it expires is it compared with where the limit is now.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::time::{Instant, Sleep, sleep_until};

pub(crate) struct Deadline {
    at: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Deadline {
    pub(crate) fn new(at: Instant) -> Self {
        Self { at, timer: Box::pin(sleep_until(at)) }
    }

    pub(crate) fn move_to(&mut self, at: Instant) {
        self.at = at;
        if at < self.timer.deadline() {
            self.timer.as_mut().reset(at);
        }
    }

    /// Whether the timer has expired; the limit may be later by now.
    pub(crate) fn has_expired(&self) -> bool {
        self.timer.is_elapsed()
    }

    pub(crate) fn poll_reached(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.timer.as_mut().poll(context));
            if self.at <= self.timer.deadline() {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, time::Duration};

    use super::*;

    #[tokio::test]
    async fn it_is_reached_where_it_was_moved_to_last() {
        let start = Instant::now();
        let milliseconds = |count| start + Duration::from_millis(count);
        let mut deadline = Deadline::new(milliseconds(10));
        deadline.move_to(milliseconds(40));
        poll_fn(|context| deadline.poll_reached(context)).await;
        assert!(Instant::now() >= milliseconds(40));
        deadline.move_to(milliseconds(60_000));
        deadline.move_to(milliseconds(50));
        poll_fn(|context| deadline.poll_reached(context)).await;
        assert!(Instant::now() < milliseconds(60_000), "an earlier limit counts at once");
    }
}
