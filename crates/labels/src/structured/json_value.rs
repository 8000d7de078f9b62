//! `getJSONValue`: the helper of the label archive that evaluates `JSON.parse(TEXT).PATH`.
//!
//! The path is JavaScript in general. Labels use properties, indexes, `.length`, and one `filter` by a
//! property; nothing else is evaluated.

mod javascript;
mod path;

use crate::{Budget, FilterResult, Output, Stopped};

pub(super) use javascript::{
    charge, charge_printing, or_too_deep, parse as parse_json, parse_each,
};

/// Runs `getJSONValue TEXT PATH`. More arguments are ignored, as by the helper.
pub(super) fn run(arguments: &[String], _input: &str, budget: &mut Budget) -> FilterResult {
    let text = arguments.first().map(String::as_str).unwrap_or_default();
    let path = arguments.get(1).map(String::as_str).unwrap_or_default();
    evaluate(text, path, budget)
}

/// Prints the value of `JSON.parse(text)` followed by a path.
pub(super) fn evaluate(text: &str, path: &str, budget: &mut Budget) -> Result<Output, Stopped> {
    // Without JSON nothing is printed, whatever the path is: labels that do not quote the text pass
    // only its first word.
    let Some(value) = javascript::parse(text, budget)? else { return Ok(failed()) };
    let steps = path::parse(path)?;
    let Some(value) = path::follow(value, &steps, budget)? else { return Ok(failed()) };
    let text = match value {
        path::JsValue::Defined(value) => {
            charge_printing(&value, 4, budget)?;
            javascript::print(&value)
        }
        // At most the word `undefined` could be printed, which is never a version or an address.
        path::JsValue::Undefined => return Ok(Output::default()),
    };
    budget.hold(text.len())?;
    Ok(Output::success(text + "\n"))
}

/// What an exception leaves.
fn failed() -> Output {
    Output::status(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, path: &str) -> Output {
        run(&[text.to_owned(), path.to_owned()], "", &mut Budget::default()).unwrap()
    }

    #[test]
    fn paths_of_labels_are_followed() {
        let text = r#"{"version": "1.2", "data": [{"n": 7}], "com.example.App": {"version": "3"},
            "a": {"b": {"c": "deep"}}, "dash-ed": "x"}"#;
        for (path, expected) in [
            ("version", "1.2\n"),
            (".version", "1.2\n"),
            ("data[0].n", "7\n"),
            ("data.length", "1\n"),
            ("version.length", "3\n"),
            ("[\"com.example.App\"].version", "3\n"),
            ("['dash-ed']", "x\n"),
            ("a.b.c", "deep\n"),
        ] {
            assert_eq!(value(text, path), Output::success(expected.into()), "{path}");
        }
        assert_eq!(value("[{\"version\": \"1\"}]", "[0].version").text, "1\n");
        assert_eq!(value("[1, 2]", "length").text, "2\n");
    }

    #[test]
    fn a_filter_keeps_what_is_true() {
        let text = r#"[{"v": "3", "lts": false}, {"v": "2", "lts": "Name"}, {"v": "1"}]"#;
        assert_eq!(value(text, "filter(x => x.lts)[0].v").text, "2\n");
        assert_eq!(value(text, "filter(x => x.lts).length").text, "1\n");
    }

    #[test]
    fn objects_are_printed_as_indented_text() {
        let text =
            r#"{"mac": {"b": [1, {"x": null}], "a": "\"<é>\"", "2": true, "e": [], "o": {}}}"#;
        let expected = "{\n    \"2\": true,\n    \"b\": [\n        1,\n        {\n            \
            \"x\": null\n        }\n    ],\n    \"a\": \"\\\"<é>\\\"\",\n    \"e\": [],\n    \
            \"o\": {}\n}\n";
        assert_eq!(value(text, "mac").text, expected);
    }

    #[test]
    fn what_javascript_throws_fails() {
        let failed = Output::status(1);
        assert_eq!(value("", "version"), failed);
        assert_eq!(value("<html>", "version"), failed);
        assert_eq!(value("{", "\"version\":"), failed);
        assert_eq!(value("{}", "a.b"), failed);
        assert_eq!(value("[]", "[0].version"), failed);
        assert_eq!(value("{}", "filter(x => x.lts)[0]"), failed);
        assert_eq!(value("{}", "version").text, "");
        assert_eq!(value("{\"a\": null}", "a").text, "null\n");
    }

    #[test]
    fn numbers_are_printed_as_javascript_does() {
        for (number, expected) in [
            ("1.0", "1"),
            ("1.50", "1.5"),
            ("-0", "0"),
            ("12345678901234567890", "12345678901234567000"),
            ("1e21", "1e+21"),
            ("1e-7", "1e-7"),
            ("0.000001", "0.000001"),
        ] {
            assert_eq!(value(number, "").text, format!("{expected}\n"), "{number}");
        }
    }

    #[test]
    fn other_javascript_is_not_guessed() {
        let run = |path: &str| run(&["{}".into(), path.into()], "", &mut Budget::default());
        for path in
            ["find(x => x.y > 1)", "a + b", "a()", "[x]", "toString()", "a[0", "map(x => x.y)"]
        {
            assert!(matches!(run(path), Err(Stopped::Unsupported(_))), "{path}");
        }
    }

    #[test]
    fn deep_text_stops() {
        let deep = "[".repeat(100_000);
        let result = evaluate(&deep, "length", &mut Budget::default());
        assert!(matches!(result, Err(Stopped::TooMuch(_))));
    }
}
