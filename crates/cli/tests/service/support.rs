//! A running server, and helpers to use it.

mod catalog;
#[cfg(target_os = "linux")]
mod memory;
mod packed;
mod response;
mod server;
mod upstream;

pub(crate) use catalog::{app, label_and_cask, ndjson, record};
#[cfg(target_os = "linux")]
pub(crate) use memory::peak_memory;
pub(crate) use packed::{append, label_archive, packed};
pub(crate) use response::{Response, series};
pub(crate) use server::{Program, TOKEN, TestServer, eventually, output, run, run_ok, succeed};
pub(crate) use upstream::{Upstream, casks, write_config};
