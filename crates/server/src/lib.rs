//! The appstitch service: the snapshot that reads are answered from, the HTTP interface,
//! and the uploads that publish a new revision.

mod admin;
mod background;
mod connection;
mod deadline;
mod front;
mod http;
mod limits;
mod metrics;
mod publish;
mod quick;
mod request_id;
mod sample;
mod serve;
mod service;
mod snapshot;
mod stalled;
mod tools;

pub use background::BackgroundPriority;
pub use http::openapi_document;
pub use limits::Limits;
pub use publish::{
    Batch, BatchSummary, CatalogChange, Keep, Problem, PublishError, Published, Publisher,
    RecordsChange, SourceUpload, Tally, served_records,
};
pub use quick::InMemoryReads;
pub use sample::load_sample;
pub use serve::{follow, serve};
pub use service::{DeployToken, Service};
pub use snapshot::{PublishedRevision, Snapshot};
pub use tools::{ToolAccess, ToolServer, message_fault};
