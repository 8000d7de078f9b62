//! What this awk does not support.

use crate::Stopped;

/// Something that this awk does not support.
pub(super) fn refuse(what: impl std::fmt::Display) -> Stopped {
    Stopped::unsupported("awk", what)
}
