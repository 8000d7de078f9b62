//! The filters of labels for XML, HTML, JSON and property lists.

mod failure;
mod html;
mod jq;
mod json_value;
mod osascript;
mod perl;
mod perl_xpath;
mod plutil;
mod scanner;
mod tree;
mod xml;
mod xml_write;
mod xmllint;
mod xpath;

use crate::Filter;

pub(crate) fn find(name: &str) -> Option<Filter> {
    Some(match name {
        "getJSONValue" => json_value::run,
        "jq" => jq::run,
        "osascript" => osascript::run,
        "perl" => perl::run,
        "plutil" => plutil::run,
        "xmllint" => xmllint::run,
        "xpath" => perl_xpath::run,
        _ => return None,
    })
}
