//! HTTP clients for other people's servers: they connect to public addresses only, unless allowed,
//! and limit the time and the size of every response.

mod access;
mod client;
mod error;
mod fetcher;
mod guard;
mod local;
mod pace;
mod public_address;
mod tls;
mod wait;

pub use access::{NetworkAccess, ProxyAddress};
pub use client::{GuardedClient, Incoming, Outgoing};
pub use error::{FetchError, rounded};
pub use fetcher::{FILE_TIME, Fetched, Fetcher, Validators};
pub use public_address::is_public;
pub use tls::client_builder;
pub use wait::requested_wait;
