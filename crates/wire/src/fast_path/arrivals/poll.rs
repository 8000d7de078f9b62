//! The poll in which new sockets wait.

use std::{
    io,
    mem::MaybeUninit,
    os::fd::{AsFd, AsRawFd, OwnedFd},
};

use rustix::{
    event::{Timespec, epoll},
    io::Errno,
};
use tokio::io::{Interest, unix::AsyncFd};

/// How many sockets are looked at before others get a turn.
pub(super) const AT_ONCE: usize = 64;

/// Sockets whose readiness the runtime sees as that of one descriptor.
pub(super) struct ArrivalPoll(AsyncFd<OwnedFd>);

impl ArrivalPoll {
    pub(super) fn new() -> io::Result<Self> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        #[expect(
            deprecated,
            reason = "sound for a descriptor that is owned; its successor is unsafe to call"
        )]
        let poll = AsyncFd::with_interest(poll, Interest::READABLE)?;
        Ok(Self(poll))
    }

    /// Tells from now on when a socket has something to read.
    pub(super) fn watch(&self, socket: &(impl AsFd + AsRawFd)) -> io::Result<()> {
        let number = epoll::EventData::new_u64(descriptor_number(socket));
        epoll::add(self.0.get_ref(), socket, number, epoll::EventFlags::IN)?;
        Ok(())
    }

    /// Ends that. Closing a socket ends it, too.
    pub(super) fn forget(&self, socket: &impl AsFd) -> io::Result<()> {
        epoll::delete(self.0.get_ref(), socket)?;
        Ok(())
    }

    /// Waits until there are sockets with something to read, and finds their descriptors.
    pub(super) async fn find_next(&self, listener: &impl AsRawFd, ready: &mut Vec<u64>) {
        let Ok(mut readiness) = self.0.readable().await else { return };
        self.find(ready);
        // The runtime reports only what becomes ready from now on. Our poll also reports what is
        // left: more connections to accept, or more sockets.
        if ready.len() < AT_ONCE && !ready.contains(&descriptor_number(listener)) {
            readiness.clear_ready();
        }
    }

    /// Finds the descriptors of the sockets that have something to read.
    pub(super) fn find(&self, ready: &mut Vec<u64>) {
        let mut room = [const { MaybeUninit::uninit() }; AT_ONCE];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        ready.clear();
        match epoll::wait(self.0.get_ref(), &mut room, Some(&at_once)) {
            Ok((events, _)) => ready.extend(events.iter().map(|event| event.data.u64())),
            Err(Errno::INTR) => {}
            Err(error) => tracing::warn!(%error, "cannot look for new requests"),
        }
    }
}

pub(super) fn descriptor_number(socket: &impl AsRawFd) -> u64 {
    u64::try_from(socket.as_raw_fd()).unwrap_or(u64::MAX)
}
