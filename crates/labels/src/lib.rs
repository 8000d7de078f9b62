//! Runs installer labels without a shell.
//!
//! A label is a fragment of zsh that computes a version and a download address, mostly by filtering
//! answers of web servers. This crate interprets the part of the language that labels use. Commands
//! are functions: no process is started, no file is read or written, and nothing is known of the
//! machine but a described [`Mac`]. Everything is bounded by a [`Budget`]. What is not understood
//! stops the value that needs it with a reason ([`Stopped`]), and never gives a guess.

mod budget;
mod case;
mod curl;
mod escape;
mod filter;
mod format;
mod function;
mod interpreter;
mod label;
mod mac;
mod network;
mod number;
mod resolve;
mod search;
mod stopped;
mod structured;
mod syntax;
mod text;
mod trace;

pub use appstitch_budget::Used;
pub use budget::Budget;
pub use case::{Case, CaseError, CaseRequest, Fixture, read_cases, write_cases};
pub use function::{NotOneFunction, check_function};
pub use label::{Label, Written, asks_architecture};
pub use mac::{Architecture, Mac};
pub use network::{Exchange, Network, NoNetwork, Replay, Request, Response};
pub use resolve::{Resolved, resolve, resolve_and_trace};
pub use stopped::Stopped;
pub use trace::{NoTrace, ResponseSummary, Step, Trace};

pub(crate) use filter::{Filter, FilterResult, Output};
