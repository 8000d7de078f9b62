//! Generated labels, kept once they were requested.
//!
//! Generating a label parses all payloads of its app. Clients may ask for thousands of labels at
//! once, so each is made once per revision, as long as there is room. Making all of them in advance
//! would cost every publication, for labels that nobody asks for.

use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};

/// The room for labels of one snapshot, in bytes: more than all labels of the real catalog take.
const BUDGET: u64 = 32 << 20;

/// What an entry takes besides its text.
const OVERHEAD: u64 = 128;

/// The form of a generated label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LabelForm {
    /// A `GeneratedLabel` as JSON.
    Json,
    /// Shell text for the label tool.
    Shell,
}

#[derive(Clone)]
struct BySize;

impl Weighter<(u32, LabelForm), Bytes> for BySize {
    fn weight(&self, _: &(u32, LabelForm), label: &Bytes) -> u64 {
        label.len() as u64 + OVERHEAD
    }
}

/// The labels of one snapshot by the position of their app.
pub(crate) struct KeptLabels(Cache<(u32, LabelForm), Bytes, BySize>);

impl Default for KeptLabels {
    fn default() -> Self {
        Self(Cache::with_weighter(1024, BUDGET, BySize))
    }
}

impl KeptLabels {
    /// The label, which is made if it is not kept.
    pub(crate) fn get_or_make<E>(
        &self,
        position: u32,
        form: LabelForm,
        make: impl FnOnce() -> Result<Bytes, E>,
    ) -> Result<Bytes, E> {
        if let Some(kept) = self.0.get(&(position, form)) {
            return Ok(kept);
        }
        // Two threads may make the same label at once. Waiting for each other would take as long.
        let made = make()?;
        self.0.insert((position, form), made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, convert::Infallible};

    use super::*;

    #[test]
    fn a_label_is_made_once_in_each_form() {
        let (kept, made) = (KeptLabels::default(), Cell::new(0));
        for form in [LabelForm::Json, LabelForm::Shell, LabelForm::Json, LabelForm::Shell] {
            let label = kept.get_or_make(7, form, || {
                made.set(made.get() + 1);
                Ok::<_, Infallible>(Bytes::from(format!("{form:?}")))
            });
            assert_eq!(label, Ok(format!("{form:?}").into()));
        }
        assert_eq!(made.get(), 2);
    }

    #[test]
    fn labels_take_only_so_much_room() {
        let kept = KeptLabels::default();
        let label = Bytes::from(vec![b'x'; 64 << 10]);
        for position in 0..2000 {
            let own =
                kept.get_or_make(position, LabelForm::Json, || Ok::<_, Infallible>(label.clone()));
            assert!(own.is_ok());
            assert!(kept.0.weight() <= BUDGET, "{}", kept.0.weight());
        }
        assert!(kept.0.len() > 100, "it keeps as many as there is room for");
    }
}
