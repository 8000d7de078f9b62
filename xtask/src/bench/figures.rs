//! Medians and number formats.

/// The median; 0 if there are no figures.
pub(super) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    let middle = |index: usize| figures.get(index).copied().unwrap_or_default();
    f64::midpoint(middle(figures.len().saturating_sub(1) / 2), middle(figures.len() / 2))
}

/// Formats bytes as megabytes (10^6 bytes).
pub(super) fn megabytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a figure with one decimal")]
    let bytes = bytes as f64;
    format!("{:.1} MB", bytes / 1e6)
}

pub(super) fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle_in_any_order() {
        for (figures, expected) in
            [(&[4.0, 1.0, 2.0, 3.0][..], 2.5), (&[4.0, 1.0, 2.0], 2.0), (&[], 0.0_f64)]
        {
            assert_eq!(median(figures.iter().copied()).to_bits(), expected.to_bits());
        }
    }

    #[test]
    fn thousands_have_commas() {
        assert_eq!([999, 1_000, 1_000_000].map(with_commas), ["999", "1,000", "1,000,000"]);
    }
}
