//! Shortens texts that are kept or shown, such as problems that quote foreign data.

/// The text, cut to about this many bytes. A cut is marked, and the spare memory is given back.
pub fn shortened(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("short".to_owned(), 5), "short");
        assert_eq!(shortened("ééé".to_owned(), 3), "é…");
        assert_eq!(shortened("ab".to_owned(), 0), "…");
    }
}
