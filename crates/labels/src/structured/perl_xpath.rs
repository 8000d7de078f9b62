//! `xpath`: the Perl script of a Mac, called directly or by the function of the same name in the label
//! archive, which adds `-q -e`.

use super::failure::Failure;
use super::tree::{Dialect, Document, Kind, NodeId};
use super::xml;
use super::xpath::{self, Value};
use crate::{Budget, FilterResult, Output, Stopped};

/// How Perl ends a script that dies.
const DIED: u8 = 255;

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let Some(expression) = expression(arguments)? else { return Ok(Output::default()) };
    match find(input, expression, budget) {
        Ok(text) => Ok(Output::success(text)),
        Err(failure) => failure.or_refusal(Output::status(DIED)),
    }
}

/// The expression of a call. Without `-q` and `-e` it is the call of the function. A hyphen as a file
/// name is the standard input.
fn expression(arguments: &[String]) -> Result<Option<&str>, Stopped> {
    let mut found: Option<&str> = None;
    let mut arguments =
        arguments.iter().map(String::as_str).filter(|argument| !argument.is_empty());
    while let Some(argument) = arguments.next() {
        let expression = match argument {
            "-q" => continue,
            "-e" => arguments.next(),
            "-" if found.is_some() => continue,
            _ if argument.starts_with('-') => return Err(Stopped::unsupported("xpath", argument)),
            _ => Some(argument),
        };
        if found.is_some() {
            return Err(Stopped::unsupported("xpath", "a second expression or a file"));
        }
        found = expression;
    }
    Ok(found)
}

fn find(input: &str, expression: &str, budget: &mut Budget) -> Result<String, Failure> {
    let options = xml::Options { dialect: Dialect::Perl, drop_blanks: false };
    let document = xml::read(input, options, budget)?.document;
    let mut output = String::new();
    match xpath::evaluate(&document, expression, Dialect::Perl, budget)? {
        Value::Nodes(nodes) => {
            for node in nodes {
                let before = output.len();
                write(&document, node, &mut output);
                output.push('\n');
                budget.hold(output.len() - before)?;
            }
        }
        Value::Text(text) => output = text + "\n",
        Value::Number(number) if number.is_nan() => output.push('\n'),
        Value::Number(number) => {
            // Perl prints 15 digits.
            let shortened = format!("{number:.14e}").parse().unwrap_or(number);
            output = xpath::format_number(shortened) + "\n";
        }
        Value::Truth(truth) => output.push_str(if truth { "1\n" } else { "0\n" }),
    }
    Ok(output)
}

/// The reader limits the depth of the recursion.
fn write(document: &Document, id: NodeId, output: &mut String) {
    let node = document.node(id);
    match &node.kind {
        Kind::Attribute(name, value) => write_attribute(name, value, output),
        Kind::Text(text) | Kind::Verbatim(text) => escape(text, "<&", output),
        Kind::Comment(text) => {
            output.push_str("<!--");
            output.push_str(text);
            output.push_str("-->");
        }
        Kind::Instruction(target, data) => {
            output.push_str("<?");
            output.push_str(target);
            output.push(' ');
            escape(data, ">", output);
            output.push_str("?>");
        }
        Kind::Root => {
            for child in &node.children {
                write(document, *child, output);
            }
        }
        Kind::Element(name) => {
            output.push('<');
            output.push_str(name);
            for (prefix, address) in &node.namespaces {
                let colon = if prefix.is_empty() { "" } else { ":" };
                write_attribute(&format!("xmlns{colon}{prefix}"), address, output);
            }
            for attribute in &node.attributes {
                write(document, *attribute, output);
            }
            if node.children.is_empty() {
                output.push_str(" />");
                return;
            }
            output.push('>');
            for child in &node.children {
                write(document, *child, output);
            }
            output.push_str("</");
            output.push_str(name);
            output.push('>');
        }
    }
}

fn write_attribute(name: &str, value: &str, output: &mut String) {
    output.push(' ');
    output.push_str(name);
    output.push_str("=\"");
    escape(value, "\"&><", output);
    output.push('"');
}

/// Escapes some characters, and the end of `CDATA` always.
fn escape(text: &str, escaped: &str, output: &mut String) {
    for character in text.chars() {
        let ends_section = character == '>' && output.ends_with("]]");
        match character {
            '"' if escaped.contains('"') => output.push_str("&quot;"),
            '&' if escaped.contains('&') => output.push_str("&amp;"),
            '<' if escaped.contains('<') => output.push_str("&lt;"),
            '>' if escaped.contains('>') || ends_section => output.push_str("&gt;"),
            _ => output.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEED: &str = r#"<?xml version="1.0"?>
<rss xmlns:sparkle="http://example.com/sparkle"><channel>
<item><title>Two &amp; more</title><enclosure url="https://example.com/2.zip?a=1&amp;b=2" sparkle:version="2"/></item>
<item><title>One</title><enclosure url="https://example.com/1.zip" sparkle:version="1"/></item>
</channel></rss>"#;

    fn print(arguments: &[&str], input: &str) -> Output {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        run(&arguments, input, &mut Budget::default()).unwrap()
    }

    #[test]
    fn each_node_is_a_line() {
        assert_eq!(
            print(&["//rss/channel/item/enclosure/@url"], FEED).text,
            " url=\"https://example.com/2.zip?a=1&amp;b=2\"\n url=\"https://example.com/1.zip\"\n"
        );
        let first = print(&["-q", "-e", "//item[1]/title", "-"], FEED);
        assert_eq!(first.text, "<title>Two &amp; more</title>\n");
        let last = print(&["//item[last()]/enclosure"], FEED);
        let expected = "<enclosure url=\"https://example.com/1.zip\" sparkle:version=\"1\" />\n";
        assert_eq!(last.text, expected);
    }

    #[test]
    fn a_text_is_printed_bare() {
        assert_eq!(print(&["string(//item/title)"], FEED).text, "Two & more\n");
        assert_eq!(print(&["(//item/title/text())[1]"], FEED).text, "Two &amp; more\n");
        assert_eq!(print(&["string(//item/nothing)"], FEED).text, "\n");
        assert_eq!(print(&["count(//item) div 3"], FEED).text, "0.666666666666667\n");
    }

    #[test]
    fn a_missing_parenthesis_at_the_end_is_forgiven() {
        let version = print(&["string(//item[1]/enclosure/@sparkle:version"], FEED);
        assert_eq!(version.text, "2\n");
        assert_eq!(print(&["//item[2]/title/"], FEED).text, "<title>One</title>\n");
        let versions = print(&["(//item/enclosure/@sparkle:version[1]"], FEED);
        assert_eq!(versions.text, " sparkle:version=\"2\"\n sparkle:version=\"1\"\n");
    }

    #[test]
    fn nothing_found_is_a_success_and_an_error_is_not() {
        assert_eq!(print(&["//nothing"], FEED), Output::default());
        assert_eq!(print(&["//item["], FEED).status, DIED);
        assert_eq!(print(&["//item"], "<rss>"), Output::status(DIED));
    }
}
