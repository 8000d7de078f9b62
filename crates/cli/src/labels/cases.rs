//! Reads a file of recorded cases.

use std::path::Path;

use anyhow::Context;
use appstitch_labels::{Case, read_cases};

use crate::exit::Failure;

/// All cases of a file, compressed or not.
pub(super) fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let context = || format!("cannot read {}", file.display());
    let bytes = std::fs::read(file).with_context(context).map_err(Failure::wrong_use)?;
    read_cases(&bytes).with_context(context).map_err(Failure::wrong_use)
}
