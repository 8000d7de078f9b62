//! HTTP on the wire: admitting connections, parsing requests, sending responses.
//!
//! A server implements [`Endpoints`] and never meets a socket: it gets a [`ReadRequest`] and returns a
//! [`ReadResponse`]. Here is everything between the two and the network.
//!
//! - One thread per core accepts connections and answers reads (`serve`, `fast_path`).
//! - Reads that are made on demand run on other threads, and clients take turns (`workers`).
//! - Uploads, tools and anything unusual go to an HTTP library, on the runtime of the server
//!   (`library`).
//! - The number of connections is limited, in total and per client (`permits`).
//! - Received bodies and unsent responses count as memory (`memory`).

#[macro_use]
mod message;

mod byte_table;
mod client_address;
mod connection;
mod connection_counts;
mod drain;
mod endpoints;
mod fair_queue;
mod fast_path;
mod finish;
mod host;
#[doc(hidden)]
pub mod inspect;
mod library;
mod limits;
mod listen;
mod memory;
mod once_a_minute;
mod open_files;
mod permits;
pub mod request_body;
mod request_id;
mod request_shares;
mod serve;
mod shared;
mod slow_reader;
mod trusted_proxies;
mod waiting;
mod workers;

pub use client_address::ClientAddress;
pub use connection_counts::ConnectionCounts;
pub use drain::{drain, drain_for};
pub use endpoints::{Attempt, BoxFuture, Endpoints, Read, Rejection};
pub use fair_queue::{FairQueue, QueueClient};
pub use library::{LibraryBody, add_policy, response};
pub use limits::Limits;
pub use listen::listen;
pub use memory::{ClientPools, ClientShare, Held, Memory, ResponseMemory};
pub use message::{
    Content, EntityTag, FieldName, FixedField, HeaderField, Policy, ReadRequest, ReadResponse,
    Verb, entity_tag,
};
pub use once_a_minute::OnceAMinute;
pub use open_files::raise_open_files;
pub use request_id::RequestId;
pub use request_shares::{CountedRequest, RequestShares};
pub use serve::{Stopping, Wire};
pub use trusted_proxies::TrustedProxies;
pub use waiting::answer_while_waiting;
