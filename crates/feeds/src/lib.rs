//! Changes of the catalog as text: Atom and JSON feeds, and the bodies of webhooks.
//!
//! Everything here is pure: the same changes give the same text. Names, versions and addresses were
//! written by strangers, so each writer escapes them for its format, and their lengths are limited.

mod atom;
mod described;
mod drift_event;
mod entry;
mod feed;
mod format;
mod json_feed;
mod line;
mod links;
mod named_change;
mod summary;
mod title;
mod webhook;

pub use entry::{AUTHORITY, Entry};
pub use feed::Feed;
pub use format::FeedFormat;
pub use links::{Links, PublicUrlError, app_path, changes_path, encoded, history_path, page_path};
pub use named_change::{NamedChange, is_news_of};
pub use webhook::{BodyFormat, CatalogChanged, LONGEST_BODY, LONGEST_LIST, WebhookEvent};
