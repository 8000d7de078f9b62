use appstitch_store::StoreError;
use thiserror::Error;

use crate::secret::NoRandomness;

/// Why something about a hook cannot be done. Nothing was changed.
#[derive(Debug, Error)]
pub enum HookError {
    #[error("No hook is named '{0}'")]
    Unknown(String),
    #[error("{0}")]
    Invalid(String),
    #[error("There are {0} hooks already, which is the limit; remove one first")]
    Full(usize),
    #[error("The hook is disabled; enable it first")]
    Disabled,
    #[error("The journal does not reach back that far; the receiver has to read the whole catalog")]
    TooOld,
    /// Others change the hook at the same time, or try many hooks.
    #[error("Other requests use the hooks at the moment; try again")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    /// The publisher or its background threads are gone.
    #[error("the background task stopped unexpectedly")]
    Stopped,
}
