//! What a writer knows about the state it writes.
//!
//! The result of an upload is unknown if its server was killed. The state is then either the old or
//! the new one, until an answer shows which. Nobody else writes the same state, and a killed server
//! changes nothing after a later upload was acknowledged: it would need a lock that the later one had.

use std::{collections::BTreeSet, fmt::Debug};

use crate::{Finding, tally::UploadResult};

#[derive(Debug, Clone)]
pub(crate) struct Possible<S>(BTreeSet<S>);

impl<S: Ord + Clone + Debug> Possible<S> {
    pub(crate) fn only(state: S) -> Self {
        Self(BTreeSet::from([state]))
    }

    /// One of them, to make the next upload from.
    pub(crate) fn any(&self) -> Option<&S> {
        self.0.first()
    }

    pub(crate) fn is_certain(&self) -> bool {
        self.0.len() == 1
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// What is possible after an upload that makes `change`.
    pub(crate) fn after(&mut self, result: UploadResult, change: impl Fn(&S) -> S) {
        let changed: BTreeSet<S> = self.0.iter().map(change).collect();
        match result {
            UploadResult::Acknowledged => self.0 = changed,
            UploadResult::Unknown => self.0.extend(changed),
            UploadResult::Refused | UploadResult::NotFound => {}
        }
    }

    /// Keeps only the states that fit to an answer.
    pub(crate) fn retain(&mut self, what: &str, fits: impl Fn(&S) -> bool) -> Result<(), Finding> {
        let left: BTreeSet<S> = self.0.iter().filter(|state| fits(state)).cloned().collect();
        if left.is_empty() {
            let known = &self.0;
            return Err(Finding::new(format!("{what}, but only these are possible: {known:?}")));
        }
        self.0 = left;
        Ok(())
    }

    pub(crate) fn observe(&mut self, observed: &S) -> Result<(), Finding> {
        self.retain(&format!("a server serves {observed:?}"), |state| state == observed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_outcome_leaves_both_states_until_one_is_seen() {
        let mut possible = Possible::only(1);
        possible.after(UploadResult::Unknown, |_| 2);
        possible.after(UploadResult::Refused, |_| 3);
        assert_eq!(possible.count(), 2);
        assert!(possible.clone().observe(&3).is_err(), "it was refused");
        possible.observe(&2).unwrap();
        assert!(possible.is_certain());
        possible.after(UploadResult::Acknowledged, |_| 4);
        assert!(possible.observe(&2).is_err(), "an acknowledged upload is lost");
    }
}
