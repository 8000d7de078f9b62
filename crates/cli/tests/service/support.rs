//! A running server, and helpers to use it.

mod answer;
mod catalog;
#[cfg(target_os = "linux")]
mod memory;
mod packed;
mod server;
mod upstream;

pub(crate) use answer::{Answer, series};
pub(crate) use catalog::{app, label_and_cask, ndjson, record};
#[cfg(target_os = "linux")]
pub(crate) use memory::peak_memory;
pub(crate) use packed::{append, label_archive, packed};
pub(crate) use server::{Program, TOKEN, TestServer};
pub(crate) use upstream::{Upstream, casks, run, write_config};
