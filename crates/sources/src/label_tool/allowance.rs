//! What evaluating all labels of a catalog may take together.
//!
//! Every label has an allowance, which is more than any real label needs. A label that
//! needs more takes it from a reserve that all labels share, so a thousand hostile labels cannot
//! take a thousand times the limit of one, and cannot take anything from the others. The limits are
//! steps and bytes, not time: the same labels give the same values on every machine.

use appstitch_labels::{Budget, Resolved};

#[derive(Debug, Clone, Copy)]
struct Amount {
    steps: u64,
    bytes: u64,
}

/// What a label may always use. The 1,184 real labels need at most half of the steps and 13 kilobytes.
const OWN: Amount = Amount { steps: 30_000, bytes: 16 << 10 };

const MOST: Amount = Amount { steps: 1_000_000, bytes: 1 << 20 };

/// What all labels together may use beyond the allowance of each.
const RESERVE: Amount = Amount { steps: 10_000_000, bytes: 16 << 20 };

/// A label cannot make a request without a network, so their number does not matter.
const REQUESTS: u32 = 1000;

#[derive(Debug)]
pub(crate) struct Allowance {
    reserve: Amount,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { reserve: RESERVE }
    }
}

impl Allowance {
    /// No label may use more than its allowance.
    pub(super) fn without_reserve() -> Self {
        Self { reserve: Amount { steps: 0, bytes: 0 } }
    }

    pub(super) fn evaluate(&mut self, run: impl FnOnce(Budget) -> Resolved) -> Resolved {
        let steps = MOST.steps.min(OWN.steps + self.reserve.steps);
        let bytes = MOST.bytes.min(OWN.bytes + self.reserve.bytes);
        let resolved = run(Budget::new(steps, bytes, REQUESTS));
        let above = |used: u64, allowed: u64| used.saturating_sub(allowed);
        let reserve = &mut self.reserve;
        reserve.steps = above(reserve.steps, above(resolved.used.steps, OWN.steps));
        reserve.bytes = above(reserve.bytes, above(resolved.used.bytes, OWN.bytes));
        resolved
    }
}

#[cfg(test)]
mod tests {
    use appstitch_labels::{Architecture, Label};

    use super::*;

    #[test]
    fn hostile_labels_use_up_the_reserve_and_take_nothing_from_others() {
        let endless = Label::parse("a)\nwhile true; do x=1; done\n;;").unwrap();
        let good = Label::parse("a)\nv=1\nx=\"a$v\"\n;;").unwrap();
        let mut allowance = Allowance { reserve: Amount { steps: 30_000, bytes: 0 } };
        let mut run = |label: &Label| {
            allowance.evaluate(|budget| label.evaluate(Architecture::Arm64, budget))
        };
        let steps = [run(&endless), run(&endless), run(&endless)].map(|run| run.used.steps);
        assert!(steps[0] > 50_000 && steps[0] <= 60_000, "{steps:?}");
        assert!(steps[1] <= 31_000 && steps[2] <= steps[1], "{steps:?}");
        assert_eq!(run(&good).value("x"), Some(Ok("a1")));
    }
}
