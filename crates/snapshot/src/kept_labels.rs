//! Generated labels, kept once they were requested.
//!
//! Generating a label parses all payloads of its app. Clients may ask for thousands of labels at
//! once, so each is made once per revision, as long as there is room. Making all of them in advance
//! would cost every publication, for labels that nobody asks for.

use crate::kept_texts::KeptTexts;

/// The room for labels of one snapshot, in bytes: more than all labels of the real catalog take.
const BUDGET: u64 = 32 << 20;

/// The form of a generated label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelForm {
    /// A `GeneratedLabel` as JSON.
    Json,
    /// Shell text for the label tool.
    Shell,
}

/// The labels of one snapshot by the position of their app.
pub(crate) type KeptLabels = KeptTexts<(u32, LabelForm), BUDGET>;
