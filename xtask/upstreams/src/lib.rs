//! HTTP servers for tests that behave like the upstreams do, over real sockets: a [`FileHost`] for
//! the files, a [`JamfServer`] for the titles and the patch catalog, and a [`LookupServer`] for the
//! store listings. Each can be told to misbehave in the ways that the real ones do.

mod file_host;
mod host;
mod jamf_server;
mod lookup_server;
mod reply;
mod state;

pub use file_host::{Etag, Fault, FileHost, HostedFile};
pub use host::{Request, TestHost};
pub use jamf_server::{JamfServer, JamfState};
pub use lookup_server::{LookupServer, LookupState, TooMany};
pub use reply::{Delivery, Reply};
