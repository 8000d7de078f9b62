//! A text that is never printed.

use std::fmt;

/// Shorter texts are not tokens, and could be part of an answer by chance.
const SHORTEST: usize = 16;

/// It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Box<str>);

impl Secret {
    /// A secret. Blanks and line ends around it are not part of it, because it comes from a file.
    /// `None` if fewer than 16 characters are left, or if the text cannot be sent as a token.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_token = text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(text.into()))
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_trimmed_and_never_printed() {
        let secret = Secret::new(" abc123abc123abc123\n").unwrap();
        assert_eq!(secret.reveal(), "abc123abc123abc123");
        assert_eq!(format!("{secret:?}"), "[secret]");
    }

    #[test]
    fn a_text_that_is_no_token_is_rejected() {
        for text in [
            "", " \n", "fifteen_letters", "two words of a text", "line\nline\nline\nline",
            "käsekäsekäsekäse",
        ] {
            assert_eq!(Secret::new(text), None, "{text:?}");
        }
    }
}
