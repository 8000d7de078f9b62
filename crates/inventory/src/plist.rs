//! Property lists, as deserializers for the reader of JSON: XML and binary ones.

pub(crate) mod binary;
mod fault;
pub(crate) mod xml;

const FORMAT: &str = "property list";
