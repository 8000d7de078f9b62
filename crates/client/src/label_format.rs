//! The formats of a generated label.

/// The format of a generated label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelFormat {
    /// JSON with the variables, the sources and warnings.
    Json,
    /// A shell fragment for the label tool.
    Shell,
}

impl LabelFormat {
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Shell => "text/x-shellscript",
        }
    }
}
