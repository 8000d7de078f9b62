//! What an export did.

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    pub revision: String,
    /// Whether the folder already had it, so that nothing was done.
    pub is_unchanged: bool,
    pub addresses: usize,
    /// How many of them are new or have another content than before.
    pub changed: usize,
    /// How many addresses of the export before are gone.
    pub removed: usize,
    /// The number of files that were written, compressed ones included.
    pub written_files: usize,
    pub written_bytes: u64,
    /// Addresses without a file, because their names cannot be names of files.
    pub left_out: Vec<String>,
}
