//! `appstitch labels`: finds the values that labels compute, without a Mac.
//!
//! Labels come from the store, an archive or the label source. They are interpreted with the live
//! network, or with recorded answers, and what they find is published as one revision.

mod escape;
mod explain;
mod live;
mod origin;
mod progress;
mod reasons;
mod record;
mod replay;
mod report;
mod resolve;
mod server;
mod unknown;

pub(crate) use explain::run as explain;
pub(crate) use live::options as live_options;
pub(crate) use report::Report;
pub(crate) use resolve::{after_refresh, after_upload, no_answer, run as resolve};
pub(crate) use server::check_access;
