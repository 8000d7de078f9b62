//! The filters of labels for XML, HTML, JSON and property lists.

mod dialect;
mod failure;
mod html;
mod json_value;
mod perl_xpath;
mod scanner;
mod tree;
mod xml;
mod xml_write;
mod xmllint;
mod xpath;

use crate::Filter;

/// The filter with this name.
#[must_use]
pub fn find(name: &str) -> Option<Filter> {
    Some(match name {
        "getJSONValue" => json_value::run,
        "xmllint" => xmllint::run,
        "xpath" => perl_xpath::run,
        _ => return None,
    })
}
