//! `x-request-id`: as sent by the client, or a new one.

use std::{
    borrow::Cow,
    hash::{BuildHasher, RandomState},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
};

const MAX_LENGTH: usize = 128;

/// The id under which a request is logged and answered.
#[derive(Debug, Clone)]
pub enum RequestId<'a> {
    Sent(Cow<'a, [u8]>),
    /// Made here.
    New([u8; NEW_LENGTH]),
}

impl<'a> RequestId<'a> {
    /// A client's id is kept if it is short and printable, so that a trace can be followed
    /// through us.
    #[must_use]
    pub fn of(sent: Option<&'a [u8]>) -> Self {
        match sent {
            Some(id) if is_printable(id) => Self::Sent(Cow::Borrowed(id)),
            _ => Self::New(new_id()),
        }
    }

    /// The same without a reference to the request.
    #[must_use]
    pub fn into_owned(self) -> RequestId<'static> {
        match self {
            Self::Sent(id) => RequestId::Sent(Cow::Owned(id.into_owned())),
            Self::New(id) => RequestId::New(id),
        }
    }

    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Sent(id) => id,
            Self::New(id) => id,
        }
    }

    /// Both kinds are ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

fn is_printable(id: &[u8]) -> bool {
    !id.is_empty() && id.len() <= MAX_LENGTH && id.iter().all(u8::is_ascii_graphic)
}

const PROCESS_DIGITS: usize = 8;
const COUNT_DIGITS: usize = 12;
const NEW_LENGTH: usize = PROCESS_DIGITS + 1 + COUNT_DIGITS;

/// A number that differs between processes and a count within one, in hexadecimal digits.
fn new_id() -> [u8; NEW_LENGTH] {
    /// Everything but the count.
    static PROCESS: LazyLock<[u8; NEW_LENGTH]> = LazyLock::new(|| {
        let mut id = [b'-'; NEW_LENGTH];
        write_digits(&mut id[..PROCESS_DIGITS], RandomState::new().hash_one(std::process::id()));
        id
    });
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let mut id = *PROCESS;
    write_digits(&mut id[PROCESS_DIGITS + 1..], COUNT.fetch_add(1, Ordering::Relaxed));
    id
}

/// As many of the last digits of a number as there is room for.
fn write_digits(room: &mut [u8], mut number: u64) {
    for digit in room.iter_mut().rev() {
        *digit = b"0123456789abcdef"[(number & 0xf) as usize];
        number >>= 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printable_id_is_kept_and_any_other_replaced() {
        let id_for = |sent: &str| RequestId::of(Some(sent.as_bytes())).as_str().to_owned();
        assert_eq!(id_for("trace-17/a"), "trace-17/a");
        for sent in ["", "two words", "ä", &"x".repeat(129)] {
            assert_ne!(id_for(sent), sent);
        }
    }

    #[test]
    fn no_id_is_given_twice() {
        let new = || RequestId::of(None).as_str().to_owned();
        let (first, second) = (new(), new());
        assert_ne!(first, second);
        assert_eq!(first.len(), NEW_LENGTH);
        assert_eq!(first[..=PROCESS_DIGITS], second[..=PROCESS_DIGITS], "one process");
    }
}
