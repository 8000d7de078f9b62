//! The static edge: every public response of a revision as files, for a server that knows nothing of the
//! catalog.
//!
//! The responses come from the handlers of the service itself, so bytes and header fields are those of a
//! live server. The routes of the service say which files they have, `plan` lists the addresses of a
//! revision and where their files are, `release` makes and writes the responses, and `folder` switches from one
//! export to the next. Between two runs only the manifest is needed: it has a hash of every file.
//!
//! ```text
//! DIR/current                     a link to the newest release
//! DIR/releases/TOKEN.TAG/         everything of one revision; the name has its entity tags
//! DIR/releases/…/manifest.json    every address with its file, header fields and hash
//! DIR/releases/…/@own/            files whose names have header fields of their own
//! ```

mod content;
mod error;
mod folder;
mod manifest;
mod marks;
mod plan;
mod release;
mod summary;

pub use error::ExportError;
pub use release::{Export, Watcher};
pub use summary::Summary;
