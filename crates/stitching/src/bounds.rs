//! How much one app may carry, and how far one name reaches.
//!
//! Upstreams choose the names that entries are matched by. Without bounds, a thousand labels and a
//! thousand recipes of one name would make a million pairs. Every bound is far above what the real
//! files need (see `docs/contributing/limits-and-tests.md`), and what exceeds one is left out in a
//! fixed order, so that the same documents still make the same catalog.

/// The most recipes of one app, the first ones by identifier.
pub(crate) const RECIPES_PER_APP: usize = 500;

/// The most titles of the patch catalog that lead to one app, the first ones by code.
pub(crate) const CODES_PER_APP: usize = 200;

/// The most apps that one cask, recipe, title or listing is attached to.
pub(crate) const APPS_PER_ENTRY: usize = 100;

/// The bytes that entries may take in the catalog beyond their first copy, besides as many bytes as
/// all entries have together. The real files need about one megabyte.
pub(crate) const COPIED_BYTES: usize = 16 << 20;

/// The most other names of a label.
pub const OTHER_NAMES: usize = 100;

/// The most variants that are listed for an app.
pub const LISTED_VARIANTS: usize = 100;

/// The most apps that are listed for one name.
pub const LISTED_MATCHES: usize = 1000;

/// The most names, and the most app files, of a cask that are used.
pub(crate) const CASK_NAMES: usize = 16;

/// The most names of an app that searches compare, besides those that lead to it.
pub(crate) const SEARCH_NAMES: usize = 16;

/// The most receipts of a cask that are used.
pub(crate) const CASK_RECEIPTS: usize = 256;

/// The most names that a label writes and that are compared with those of casks.
pub(crate) const WRITTEN_NAMES: usize = 8;

/// The most bytes of a name that is compared.
pub(crate) const NAME_BYTES: usize = 512;

/// The most words of a name whose words are compared.
pub(crate) const NAME_WORDS: usize = 40;

/// The most casks or titles that have a key (a name, a folder, …) in common. A key of more than
/// these identifies none of them, so it does not lead to any.
pub(crate) const ENTRIES_PER_KEY: usize = 64;

/// The most casks that a label is compared with.
pub(crate) const CANDIDATES: usize = 64;

/// The most folders of a download's address that are compared.
pub(crate) const FOLDERS: usize = 32;
