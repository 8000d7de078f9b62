//! Names of organizations without their legal form.

/// Legal forms at the end of a name, in lowercase and without dots.
const LEGAL_FORMS: [&str; 33] = [
    "ab", "ag", "aps", "as", "bv", "co", "corp", "corporation", "company", "fz", "fz-llc", "fzc",
    "fze", "gmbh", "inc", "incorporated", "kg", "kk", "limited", "llc", "llp", "lp", "ltd", "oy",
    "pbc", "plc", "pte", "pty", "sa", "sas", "srl", "sro", "ug",
];

/// Forms that are also words: they are removed only if another form follows, as in "Co., Ltd.".
const ALSO_WORDS: [&str; 4] = ["co", "company", "as", "fz"];

/// The name without its legal form: `Example` for `Example, Inc.` and `Example GmbH & Co. KG`.
///
/// A short form must be in capitals or have dots, because it can be a part of a name otherwise.
pub(crate) fn without_legal_form(name: &str) -> &str {
    let name = name.trim();
    let mut kept = name;
    while let Some((before, word)) = kept.rsplit_once(char::is_whitespace) {
        let plain: String = word
            .chars()
            .filter(|character| !matches!(character, '.' | ',' | '/'))
            .flat_map(char::to_lowercase)
            .collect();
        let is_marked = word.contains(['.', '/']) || !word.contains(char::is_lowercase);
        let is_no_word = matches!(&*plain, "inc" | "llc" | "ltd" | "pte" | "pty");
        let is_certain = plain.len() > 3 || is_marked || is_no_word;
        let follows = kept.len() < name.len() || !ALSO_WORDS.contains(&&*plain) || is_dotted(word);
        if !LEGAL_FORMS.contains(&&*plain) || !is_certain || !follows {
            break;
        }
        kept = before.trim_end_matches(|last: char| last.is_whitespace() || last == ',');
        kept = kept.strip_suffix(" &").unwrap_or(kept);
    }
    if kept.is_empty() { name } else { kept }
}

/// Whether every letter has a dot or a slash after it, as in `a.s.` and `A/S`, unlike `Co.`.
fn is_dotted(word: &str) -> bool {
    word.trim_end_matches(',').split(['.', '/']).all(|part| part.chars().count() <= 1)
}

/// A name for comparison: without article, legal form, case and punctuation.
pub(crate) fn fold_name(name: &str) -> String {
    let plain = without_legal_form(name);
    let kept = plain.strip_prefix("The ").unwrap_or(plain);
    let kept = kept.chars().filter(|character| character.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_forms_are_removed() {
        for name in [
            "Example",
            "Example, Inc.",
            "Example Inc",
            "Example LLC",
            "Example Corporation",
            "Example s.r.o.",
            "Example B.V.",
            "Example AB",
            "Example A/S",
            "Example a.s.",
            "Example FZ-LLC",
            "Example Co., Ltd.",
            "Example GmbH & Co. KG",
            "Example Company Limited",
            " Example Pty Ltd ",
        ] {
            assert_eq!(without_legal_form(name), "Example", "{name}");
        }
    }

    #[test]
    fn words_of_a_name_stay() {
        for name in ["The Example Company", "Sample & Co", "Example as", "Inc.", "LLC", "Ag Apps"] {
            assert_eq!(without_legal_form(name), name, "{name}");
        }
    }

    #[test]
    fn names_are_compared_without_article_case_and_punctuation() {
        assert_eq!(fold_name("The Example Project"), fold_name("example-project, Inc."));
        assert_ne!(fold_name("Example Project"), fold_name("Example"));
    }
}
