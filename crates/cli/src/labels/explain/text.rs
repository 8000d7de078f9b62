//! A run as text for people, at most 80 columns wide.

use appstitch_labels::Step;

use super::Explained;
use crate::labels::escape::{escape, shorten, wrap};

const COLUMNS: usize = 80;
/// The indentation of what belongs to a statement.
const INDENT: usize = 2;
/// The width of the first column below a statement.
const TAG: usize = 9;
/// The number of characters of a statement or text that are shown.
const SHOWN: usize = 400;

/// The values that every label is for. They are shown even if the label does not set them.
const ALWAYS: [&str; 2] = ["downloadURL", "appNewVersion"];

/// The steps, and the values at the end.
pub(super) fn render(explained: &Explained) -> String {
    let mut page = Page::default();
    let Explained { name, file, architecture, .. } = explained;
    page.line(0, &escape(&format!("{name} ({file}) on {}", architecture.name())));
    page.empty();
    // The parts of a pipeline are statements as well; the statement that contains them is enough.
    let mut statement = String::new();
    for step in &explained.steps {
        match step {
            Step::Statement(text) if is_part(text, &statement) => {}
            Step::Statement(text) => {
                statement.clone_from(text);
                page.line(0, &shorten(&escape(text.trim()), SHOWN));
            }
            Step::Request { method, url, response } => {
                page.tagged("request", &escape(&format!("{method} {url}")));
                page.tagged(
                    "answer",
                    &match response {
                        Ok(response) => format!("{}, {} bytes", response.status, response.bytes),
                        Err(why) => escape(&format!("none: {why}")),
                    },
                );
            }
            Step::Command { call, input, output, status } => {
                page.tagged("command", &shorten(&escape(call), SHOWN));
                if !input.is_empty() {
                    page.tagged("input", &escape(input));
                }
                match output {
                    Ok(output) => page.tagged("output", &escape(output)),
                    Err(why) => page.tagged("stopped", &escape(why)),
                }
                if let Some(status) = status.filter(|status| *status != 0) {
                    page.tagged("status", &status.to_string());
                }
            }
        }
    }
    page.empty();
    page.line(0, "values");
    for name in variables(explained) {
        match explained.value(&name) {
            Ok("") => page.tagged_as(&name, "(empty)"),
            Ok(value) => page.tagged_as(&name, &shorten(&escape(value), SHOWN)),
            Err(stopped) => page.tagged_as(&name, &escape(&format!("unresolved: {stopped}"))),
        }
    }
    page.text
}

fn is_part(text: &str, of: &str) -> bool {
    text.len() < of.len() && of.contains(text)
}

/// The variables that the label sets, without those that the tool sets.
fn variables(explained: &Explained) -> Vec<String> {
    let set = explained.resolved.iter().flat_map(|resolved| resolved.values.keys());
    let assigned = set.filter(|name| !PRESET.contains(&name.as_str()));
    let mut names: Vec<String> = assigned.cloned().collect();
    for name in ALWAYS {
        if !names.iter().any(|listed| listed == name) {
            names.push(name.to_owned());
        }
    }
    // What the label is for comes last, where it is seen.
    names.sort_by_key(|name| (ALWAYS.contains(&name.as_str()), name.clone()));
    names
}

/// The variables that are set before the label runs.
const PRESET: [&str; 4] = ["DEBUG", "currentUser", "label", "versionKey"];

/// Lines that are not longer than a narrow window.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn empty(&mut self) {
        self.text.push('\n');
    }

    fn line(&mut self, indent: usize, text: &str) {
        for (number, line) in wrap(text, COLUMNS - indent - 2 * INDENT).iter().enumerate() {
            // Continued lines are indented further than what belongs to the statement.
            let extra = if number == 0 { 0 } else { 2 * INDENT };
            self.push(indent + extra, line);
        }
    }

    fn tagged(&mut self, tag: &str, text: &str) {
        self.columns(tag, TAG, text);
    }

    fn tagged_as(&mut self, name: &str, text: &str) {
        self.columns(name, 16.max(name.chars().count() + 1).min(30), text);
    }

    fn columns(&mut self, tag: &str, width: usize, text: &str) {
        let start = INDENT + width;
        let lines = wrap(text, COLUMNS - start);
        let first = lines.first().map_or("", String::as_str);
        self.push(INDENT, format!("{:<width$}{first}", escape(tag)).trim_end());
        for line in lines.iter().skip(1) {
            self.push(start, line);
        }
    }

    fn push(&mut self, indent: usize, line: &str) {
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.text.push_str(line);
        self.text.push('\n');
    }
}
