//! A running server, and helpers to use it.

mod answer;
mod catalog;
mod server;
mod upstream;

pub(crate) use answer::{Answer, series};
pub(crate) use catalog::{app, label_and_cask, ndjson, record};
pub(crate) use server::{Program, TOKEN, TestServer};
pub(crate) use upstream::{Upstream, casks, run, write_config};
