//! Writes property lists.

use super::super::failure::Failure;
use super::read::Plist;
use crate::Stopped;

/// The value alone: texts bare, the number of members of a list, and the keys of a dictionary a line
/// each.
pub(super) fn raw(value: &Plist) -> String {
    match value {
        Plist::Text(text) | Plist::Integer(text) | Plist::Date(text) | Plist::Data(text) => {
            text.clone()
        }
        Plist::Real(number) => format!("{number:.6}"),
        Plist::Truth(truth) => truth.to_string(),
        Plist::Null => "<null>".to_owned(),
        Plist::Array(values) => values.len().to_string(),
        Plist::Dictionary(_) => {
            let names: Vec<&str> = sorted(value).into_iter().map(|(name, _)| name).collect();
            names.join("\n")
        }
    }
}

/// The members of a dictionary in the order in which they are written.
fn sorted(value: &Plist) -> Vec<(&str, &Plist)> {
    let Plist::Dictionary(members) = value else { return Vec::new() };
    let mut members: Vec<_> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
    members.sort_by_key(|(name, _)| *name);
    members
}

/// How much of a property list in XML is indentation.
pub(super) fn blanks(value: &Plist, depth: usize) -> usize {
    let inner = match value {
        Plist::Array(values) => values.iter().map(|value| blanks(value, depth + 1)).sum(),
        Plist::Dictionary(members) => {
            let members = members.iter().map(|(_, value)| depth + 1 + blanks(value, depth + 1));
            members.sum::<usize>()
        }
        _ => 0,
    };
    depth * 2 + inner
}

pub(super) fn xml(value: &Plist) -> Result<String, Failure> {
    let mut output = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
         \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n",
    );
    write_xml(value, 0, &mut output)?;
    output.push_str("</plist>\n");
    Ok(output)
}

fn write_xml(value: &Plist, depth: usize, output: &mut String) -> Result<(), Failure> {
    let mut line = |depth: usize, text: &str| {
        output.extend(std::iter::repeat_n('\t', depth));
        output.push_str(text);
        output.push('\n');
    };
    let tagged = |name: &str, text: &str| format!("<{name}>{}</{name}>", escape(text));
    match value {
        Plist::Text(text) => line(depth, &tagged("string", text)),
        Plist::Integer(text) => line(depth, &tagged("integer", text)),
        Plist::Real(number) => line(depth, &tagged("real", &number.to_string())),
        Plist::Date(text) => line(depth, &tagged("date", text)),
        Plist::Truth(truth) => line(depth, if *truth { "<true/>" } else { "<false/>" }),
        Plist::Data(_) => return Err(Stopped::unsupported("plutil", "writing data").into()),
        // A property list cannot say it, so the real tool refuses such JSON.
        Plist::Null => return Err(Failure::Refused),
        Plist::Array(values) if values.is_empty() => line(depth, "<array/>"),
        Plist::Array(values) => {
            line(depth, "<array>");
            for value in values {
                write_xml(value, depth + 1, output)?;
            }
            output.extend(std::iter::repeat_n('\t', depth));
            output.push_str("</array>\n");
        }
        Plist::Dictionary(members) if members.is_empty() => line(depth, "<dict/>"),
        Plist::Dictionary(_) => {
            line(depth, "<dict>");
            for (name, value) in sorted(value) {
                output.extend(std::iter::repeat_n('\t', depth + 1));
                output.push_str(&tagged("key", name));
                output.push('\n');
                write_xml(value, depth + 1, output)?;
            }
            output.extend(std::iter::repeat_n('\t', depth));
            output.push_str("</dict>\n");
        }
    }
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
