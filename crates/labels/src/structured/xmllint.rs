//! `xmllint`: expressions on XML and HTML, and rewriting both.

use super::failure::Failure;
use super::tree::{Dialect, Document};
use super::xpath::{self, Value};
use super::{html, xml, xml_write};
use crate::{Budget, FilterResult, Output, Stopped, number};

const UNREADABLE: u8 = 1;
/// The exit status for an invalid expression, and for one that finds nothing.
const NOTHING: u8 = 10;

#[derive(Debug, Default)]
struct Request<'run> {
    expression: Option<&'run str>,
    html: bool,
    format: bool,
    recover: bool,
}

pub(super) fn run(arguments: &[String], input: &str, budget: &mut Budget) -> FilterResult {
    let request = parse(arguments)?;
    let result = if request.html {
        run_html(&request, input, budget)
    } else {
        run_xml(&request, input, budget)
    };
    result.or_else(|failure| failure.or_refusal(Output::status(UNREADABLE)))
}

fn parse(arguments: &[String]) -> Result<Request<'_>, Stopped> {
    let mut request = Request::default();
    let mut reads_input = false;
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        // Every option may be written with one hyphen.
        let option = argument.strip_prefix("--").or(argument.strip_prefix('-')).unwrap_or(argument);
        match option {
            _ if argument == "-" => reads_input = true,
            "xpath" => {
                let missing = || Stopped::unsupported("xmllint", "--xpath without an expression");
                request.expression = Some(arguments.next().ok_or_else(missing)?);
            }
            "html" => request.html = true,
            "format" => request.format = true,
            "recover" => request.recover = true,
            "nowarning" | "noerror" | "nonet" => {}
            _ => return Err(Stopped::unsupported("xmllint", argument)),
        }
    }
    if reads_input { Ok(request) } else { Err(Stopped::unsupported("xmllint", "reading a file")) }
}

fn run_html(request: &Request<'_>, input: &str, budget: &mut Budget) -> Result<Output, Failure> {
    let options = html::Options { recover: request.recover };
    let mut page = html::read(input, options, budget)?;
    if let Some(expression) = request.expression {
        return find(&page.document, expression, page.has_encoding, budget);
    }
    let text = html::write(&mut page, request.format);
    budget.hold(text.len())?;
    Ok(Output::success(text))
}

fn run_xml(request: &Request<'_>, input: &str, budget: &mut Budget) -> Result<Output, Failure> {
    // Only in XML does formatting move white space; pages keep theirs.
    let options = xml::Options { dialect: Dialect::Libxml, drop_blanks: request.format };
    let xml = match xml::read(input, options, budget) {
        Err(Failure::Refused) if request.recover => {
            return Err(Stopped::unsupported("xmllint", "--recover of invalid XML").into());
        }
        result => result?,
    };
    if let Some(expression) = request.expression {
        return find(&xml.document, expression, xml.encoding.is_some(), budget);
    }
    if request.format {
        budget.hold_each(xml.document.depths(), 2)?;
    }
    let text = xml_write::document(&xml, request.format)?;
    budget.hold(text.len())?;
    Ok(Output::success(text))
}

fn find(
    document: &Document,
    expression: &str,
    has_encoding: bool,
    budget: &mut Budget,
) -> Result<Output, Failure> {
    let nothing = Output::status(NOTHING);
    let value = match xpath::evaluate(document, expression, Dialect::Libxml, budget) {
        Err(Failure::Refused) => return Ok(nothing),
        result => result?,
    };
    let text = match value {
        Value::Nodes(nodes) if nodes.is_empty() => return Ok(nothing),
        Value::Nodes(nodes) => {
            let mut text = String::new();
            for node in nodes {
                if node == Document::ROOT {
                    return Err(Stopped::unsupported("xmllint", "printing the document").into());
                }
                let before = text.len();
                xml_write::node(document, node, has_encoding, &mut text);
                text.push('\n');
                budget.hold(text.len() - before)?;
            }
            text
        }
        Value::Text(text) => text + "\n",
        Value::Number(number) if number.is_finite() => number::general(number, 6) + "\n",
        Value::Number(number) => xpath::format_number(number) + "\n",
        Value::Truth(truth) => format!("{truth}\n"),
    };
    Ok(Output::success(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(arguments: &[&str], input: &str) -> Output {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        run(&arguments, input, &mut Budget::default()).unwrap()
    }

    fn success(text: &str) -> Output {
        Output::success(text.to_owned())
    }

    #[test]
    fn every_found_node_is_a_line() {
        let xml = "<a><b x=\"1&amp;&lt;&quot;\">t&gt;</b><b/><![CDATA[<x>]]></a>";
        assert_eq!(
            print(&["--xpath", "//b", "-"], xml),
            success("<b x=\"1&amp;&lt;&quot;\">t&gt;</b>\n<b/>\n")
        );
        assert_eq!(print(&["-xpath", "//@x", "-"], xml), success(" x=\"1&amp;&lt;&quot;\"\n"));
        assert_eq!(print(&["--xpath", "//b/text()", "-"], xml), success("t&gt;\n"));
        assert_eq!(
            print(&["--xpath", "string(//b/@x)", "--nowarning", "-"], xml),
            success("1&<\"\n")
        );
        assert_eq!(print(&["--xpath", "/a/text()", "-"], xml), success("<![CDATA[<x>]]>\n"));
    }

    #[test]
    fn nothing_found_and_errors_print_nothing() {
        let status = |status| Output::status(status);
        assert_eq!(print(&["--xpath", "//c", "-"], "<a/>"), status(10));
        assert_eq!(print(&["--xpath", "//c[", "-"], "<a/>"), status(10));
        assert_eq!(print(&["--xpath", "//s:c", "-"], "<a xmlns:s='x'><s:c/></a>"), status(10));
        assert_eq!(print(&["--xpath", "//c", "-"], "<a>"), status(1));
        assert_eq!(print(&["--xpath", "string(//c)", "-"], "<a/>"), success("\n"));
    }

    #[test]
    fn numbers_have_six_digits() {
        for (expression, expected) in [
            ("1 div 3", "0.333333\n"),
            ("12345678", "1.23457e+07\n"),
            ("1 div 0", "Infinity\n"),
            ("number('x')", "NaN\n"),
            ("count(//a)", "1\n"),
            ("0.5 * 3", "1.5\n"),
            ("100", "100\n"),
            ("0", "0\n"),
        ] {
            assert_eq!(
                print(&["--xpath", expression, "-"], "<a/>"),
                success(expected),
                "{expression}"
            );
        }
    }

    #[test]
    fn formatting_indents_elements_without_text() {
        let xml = "<?xml version='1.0' encoding='utf-8'?><a><b>1</b>\n<c><d/> <e> x</e></c></a>";
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a>\n  <b>1</b>\n  <c>\n    \
            <d/>\n    <e> x</e>\n  </c>\n</a>\n";
        assert_eq!(print(&["--format", "-"], xml), success(expected));
        let mixed = "<a>t<b/></a>";
        assert_eq!(
            print(&["--format", "-"], mixed).text,
            "<?xml version=\"1.0\"?>\n<a>t<b/></a>\n"
        );
    }

    #[test]
    fn expressions_see_the_tree_of_the_page() {
        let page = "<!DOCTYPE html><div><a href='/x-mac.dmg'>Get <b>it</b></a><p>one<p>two\
            <table id=t><tr><td>1<td>2</table><script>var a = '<b>' && 1;</script>";
        let find = |expression: &str| print(&["--html", "--xpath", expression, "-"], page).text;
        assert_eq!(find("string(//a[contains(@href, 'mac.dmg')]/@href)"), "/x-mac.dmg\n");
        assert_eq!(find("string(//a)"), "Get it\n");
        assert_eq!(find("count(//p)"), "2\n");
        assert_eq!(find("count(//table/tr/td)"), "2\n");
        assert_eq!(find("//table/tbody"), "");
        assert_eq!(find("//script"), "<script><![CDATA[var a = '<b>' && 1;]]></script>\n");
    }

    #[test]
    fn files_and_other_options_are_not_guessed() {
        let run = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            run(&arguments, "<a/>", &mut Budget::default())
        };
        for arguments in [&["--shell", "-"][..], &["--xpath", "//a"], &["file.xml"], &[]] {
            assert!(matches!(run(arguments), Err(Stopped::Unsupported(_))), "{arguments:?}");
        }
        let recovered = run(&["--recover", "--xpath", "//a", "-"]);
        assert_eq!(recovered, Ok(success("<a/>\n")));
    }
}
