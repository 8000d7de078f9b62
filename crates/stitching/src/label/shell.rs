//! A label as shell text for the label tool: one arm of its `case`.

use std::fmt::Write;

use appstitch_text::words::all_of;
use appstitch_types::Source;
use serde_json::{Map, Value};

use super::GeneratedLabel;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Intel {
    Same,
    /// The variables that differ; null if there is no value.
    Different(Map<String, Value>),
    Unsupported,
}

/// Writes the fragment. Every value is quoted and warnings become comments. The function is copied
/// unchanged, so it must have been checked.
pub(super) fn write(label: &GeneratedLabel, intel: &Intel, function: Option<&str>) -> String {
    let mut text = format!("{})\n", pattern(&label.label_name));
    let product = |token: &String| Source::from_token(token).map(|it| it.describe().product);
    let sources: Vec<&str> = label.sources_used.iter().filter_map(product).collect();
    line(&mut text, 1, &comment(&format!("made by appstitch from {}", all_of(&sources))));
    for warning in &label.warnings {
        line(&mut text, 1, &comment(warning));
    }
    let different =
        |name: &str| matches!(intel, Intel::Different(values) if values.contains_key(name));
    for (name, value) in label.content.iter().filter(|(name, _)| !different(name)) {
        line(&mut text, 1, &assignment(name, value));
    }
    match intel {
        Intel::Same => {}
        Intel::Different(values) => {
            let of_silicon: Vec<_> =
                label.content.iter().filter(|(name, _)| different(name)).collect();
            let of_intel: Vec<_> = values.iter().filter(|(_, value)| !value.is_null()).collect();
            line(&mut text, 1, r#"if [[ $(arch) == "arm64" ]]; then"#);
            branch(&mut text, &of_silicon, &no_download(&label.label_name, "Apple silicon"));
            line(&mut text, 1, "else");
            branch(&mut text, &of_intel, &no_download(&label.label_name, "Intel Macs"));
            line(&mut text, 1, "fi");
        }
        Intel::Unsupported => {
            line(&mut text, 1, r#"if [[ $(arch) != "arm64" ]]; then"#);
            line(&mut text, 2, &no_download(&label.label_name, "Intel Macs"));
            line(&mut text, 1, "fi");
        }
    }
    if let Some(function) = function {
        line(&mut text, 1, function);
    }
    line(&mut text, 1, ";;");
    text
}

/// The variables of one architecture. A branch without a command is a syntax error, so one without
/// values says that there is nothing to install.
fn branch(text: &mut String, values: &[(&String, &Value)], otherwise: &str) {
    for (name, value) in values {
        line(text, 2, &assignment(name, value));
    }
    if values.is_empty() {
        line(text, 2, otherwise);
    }
}

/// The command that ends a run on Macs for which there is no download.
fn no_download(label: &str, macs: &str) -> String {
    let sentence = format!("no download of {label} for {macs} is known");
    format!("cleanupAndExit 95 {} ERROR", quoted(&sentence))
}

fn line(text: &mut String, level: usize, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{content}", "", indent = level * 4);
}

/// The text as a comment, which ends with its line whatever the text holds.
fn comment(text: &str) -> String {
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    format!("# {}", text.chars().map(plain).collect::<String>())
}

/// The pattern of the `case` arm. The tool looks up labels in lowercase, so the pattern includes
/// the lowercase name. Names with special characters are quoted.
fn pattern(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let names = if lower == name { vec![name] } else { vec![name, &lower] };
    // An unquoted `esac` would end the `case`.
    let plain = |name: &str| {
        name != "esac"
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let quoted =
        names.into_iter().map(|name| if plain(name) { name.to_owned() } else { quoted(name) });
    quoted.collect::<Vec<_>>().join("|")
}

fn assignment(name: &str, value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(Value::as_str).map(quoted).collect();
            format!("{name}=( {} )", items.join(" "))
        }
        value => format!("{name}={}", quoted(value.as_str().unwrap_or_default())),
    }
}

/// The text in double quotes, with all characters escaped that are special inside them.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_is_quoted_whatever_it_holds() {
        assert_eq!(quoted("Plain Name"), r#""Plain Name""#);
        assert_eq!(quoted(r#"a"b\c$d`e'f!g"#), r#""a\"b\\c\$d\`e'f!g""#);
    }

    #[test]
    fn a_comment_is_one_line() {
        assert_eq!(comment("a\nrm -rf /\r;x"), "# a rm -rf / ;x");
    }

    #[test]
    fn every_branch_has_a_command() {
        let label = |content: Value| GeneratedLabel {
            label_name: "sample".to_owned(),
            content: content.as_object().unwrap().clone(),
            sources_used: Vec::new(),
            warnings: Vec::new(),
        };
        let url = "https://example.com/intel.dmg";
        let values = Map::from_iter([("downloadURL".to_owned(), url.into())]);
        let text = write(&label(json!({"name": "Sample"})), &Intel::Different(values), None);
        let none = "        cleanupAndExit 95 \"no download of sample for Apple silicon is known\" ERROR\n";
        let start = "    if [[ $(arch) == \"arm64\" ]]; then\n";
        let end = format!("    else\n        downloadURL=\"{url}\"\n    fi\n");
        assert!(text.contains(&format!("{start}{none}{end}")), "{text}");
        let values = Map::from_iter([("downloadURL".to_owned(), Value::Null)]);
        let both = label(json!({"downloadURL": "https://example.com/arm.dmg"}));
        let text = write(&both, &Intel::Different(values), None);
        let none =
            "        cleanupAndExit 95 \"no download of sample for Intel Macs is known\" ERROR\n";
        assert!(text.contains(&format!("    else\n{none}    fi\n")), "{text}");
    }

    #[test]
    fn names_that_could_be_patterns_are_quoted_and_capitals_have_a_lower_form() {
        assert_eq!(pattern("firefox"), "firefox");
        assert_eq!(pattern("firefox@beta"), r#""firefox@beta""#);
        assert_eq!(pattern("Xcode"), "Xcode|xcode");
        assert_eq!(pattern("esac"), r#""esac""#);
    }
}
