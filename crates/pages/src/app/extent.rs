//! How much of an app its page lists.
//!
//! No page is longer than [`LONGEST_PAGE`]. What makes a page long was written by others, and the
//! public address is repeated in every text to copy, so a page that is too long is made again with
//! shorter lists. What is left out is behind the links to the JSON.

/// The most bytes of a page, before it is compressed.
pub(super) const LONGEST_PAGE: usize = 30_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) recipes: usize,
    pub(super) names: usize,
    pub(super) variants: usize,
    pub(super) versions: usize,
    /// Pieces of evidence for each source.
    pub(super) evidence: usize,
    /// The bytes of a label that is shown. Longer ones can be downloaded.
    pub(super) label: usize,
    /// The same of a file for another tool.
    pub(super) export: usize,
    pub(super) badges: usize,
    /// Repositories of recipes that take reports.
    pub(super) repositories: usize,
}

impl Extent {
    /// From the usual one to the shortest.
    pub(super) const ALL: [Self; 3] = [
        Self {
            recipes: 12,
            names: 20,
            variants: 15,
            versions: 12,
            evidence: 8,
            label: 6_000,
            export: 2_500,
            badges: 12,
            repositories: 3,
        },
        Self {
            recipes: 5,
            names: 10,
            variants: 12,
            versions: 6,
            evidence: 4,
            label: 3_000,
            export: 1_200,
            badges: 4,
            repositories: 1,
        },
        Self {
            recipes: 1,
            names: 5,
            variants: 2,
            versions: 3,
            evidence: 2,
            label: 1_000,
            export: 300,
            badges: 1,
            repositories: 0,
        },
    ];
}
