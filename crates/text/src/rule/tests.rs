use proptest::prelude::*;

use super::*;

#[test]
fn ordinary_text_of_every_script_is_unchanged() {
    for text in [
        "Firefox",
        "Learn JavaScript: Basics",
        "AT&T",
        "a < b",
        "C++ <3",
        "R&D; sales",
        "Ärger & Söhne",
        "名前 (無料)",
        "می‌خواهم",
        "क्‍ष",
        "שלום",
        "👩‍💻 Editor",
        "🏳️‍🌈",
        "1️⃣ First",
        "Café",
        "Việt",
        "data: the app",
    ] {
        assert_eq!(normal_form(text).as_deref(), Ok(text));
        assert!(matches!(normal_form(text), Ok(Cow::Borrowed(_))), "{text}");
        assert_eq!(check_exact(text), Ok(()), "{text}");
    }
}

#[test]
fn harmless_characters_are_removed_or_replaced() {
    for (text, normal) in [
        ("  Sample\u{a0} \u{3000}App ", "Sample App"),
        ("\u{200e}Sample", "Sample"),
        ("Sam\u{200b}ple\u{feff}", "Sample"),
        ("Sam\u{ad}ple", "Sample"),
        ("Sam\u{200d}ple", "Sample"),
        ("Sample\u{fe0f}", "Sample"),
        ("Cafe\u{301}", "Café"),
        ("\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{3164}\u{2800}", ""),
    ] {
        assert_eq!(normal_form(text).as_deref(), Ok(normal), "{text:?}");
    }
    assert_eq!(check_exact("Sam\u{200b}ple"), Err("an invisible character"));
    assert_eq!(check_exact("Cafe\u{301} \u{a0}x"), Ok(()), "blanks and marks are part of a name");
}

#[test]
fn misleading_characters_are_rejected() {
    let flood = format!("Z{}", "\u{301}".repeat(5));
    for (text, what) in [
        ("a\nb", "a control character"),
        ("a\u{85}b", "a control character"),
        ("a\0b", "a control character"),
        ("a\u{2028}b", "a line separator"),
        ("a\u{2029}b", "a line separator"),
        ("\u{202e}gpj.exe", "a direction override"),
        ("a\u{2066}b\u{2069}", "a direction override"),
        ("a\u{e0041}b", "a tag character"),
        ("\u{f8ff}", "a private-use character"),
        ("a\u{fdd0}b", "a code point that is not a character"),
        ("a\u{ffff}b", "a code point that is not a character"),
        ("a\u{378}b", "a code point that is not a character"),
        ("a\u{600}b", "a format character"),
        (flood.as_str(), "a pile of combining marks"),
        ("\u{301}a", "a combining mark without a character"),
    ] {
        assert_eq!(normal_form(text), Err(what), "{text:?}");
        assert_eq!(check_exact(text), Err(what), "{text:?}");
    }
}

#[test]
fn markup_is_rejected_whether_it_is_complete_or_not() {
    for (text, what) in [
        ("<b>Bold</b>", "HTML"),
        ("<img src=x", "HTML"),
        ("x<!--", "HTML"),
        ("</script", "HTML"),
        ("<?php", "HTML"),
        ("<\u{200b}script", "HTML"),
        ("&lt;script", "an HTML entity"),
        ("AT&amp;T", "an HTML entity"),
        ("&#60;b", "an HTML entity"),
        ("&#x3C;b", "an HTML entity"),
        ("&#x3c", "an HTML entity"),
        ("&#60 b", "an HTML entity"),
        ("JavaScript:alert(1)", "a script address"),
        ("java\u{200b}script :alert(1)", "a script address"),
        ("data:text/html,x", "a script address"),
    ] {
        assert_eq!(normal_form(text), Err(what), "{text:?}");
    }
}

proptest! {
    #[test]
    fn the_normal_form_is_stable_and_has_nothing_to_hide(text in any::<String>()) {
        if let Ok(normal) = normal_form(&text) {
            prop_assert_eq!(normal_form(&normal).map(Cow::into_owned), Ok(normal.to_string()));
            prop_assert_eq!(check_exact(&normal), Ok(()));
            prop_assert!(!normal.chars().any(char::is_control));
            prop_assert_eq!(normal.trim(), &*normal);
        }
    }
}
