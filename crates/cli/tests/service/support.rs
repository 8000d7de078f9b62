//! A running server and a client for it.

mod answer;
mod catalog;
mod server;

pub(crate) use answer::Answer;
pub(crate) use catalog::{app, label_and_cask, ndjson, record};
pub(crate) use server::{Program, TOKEN, TestServer};
