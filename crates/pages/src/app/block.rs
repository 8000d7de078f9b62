//! A text to copy, on the page of an app.

use appstitch_feeds::encoded;

use super::known::Known;

pub(super) struct Block {
    pub(super) caption: &'static str,
    /// Empty if it is too long: then there is a file.
    pub(super) text: String,
    /// The path of the file with the same text, and its name.
    pub(super) file: Option<(String, String)>,
    pub(super) notes: Vec<String>,
}

impl Block {
    pub(super) fn new(caption: &'static str, text: String) -> Self {
        Self { caption, text, file: None, notes: Vec::new() }
    }

    pub(super) fn with_file(mut self, known: &Known<'_>, file: &str, name: String) -> Self {
        self.file = Some((format!("/a/{}/{file}", encoded(known.slug())), name));
        self
    }
}
