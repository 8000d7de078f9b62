//! What crosses between a wire and a read: two plain structs, [`Asked`] and [`Answer`].
//!
//! Both wires fill the first and print the second. What an endpoint returns in between is a
//! [`Reply`].

#[macro_use]
mod field;

mod answer;
mod asked;
mod document;
mod policy;
mod reply;

pub(crate) use answer::{Answer, CONTENT_LENGTH, Content, TOTAL_COUNT};
pub(crate) use asked::{Asked, HeaderField, Verb};
pub(crate) use document::{Document, DocumentBody, DocumentKind};
pub(crate) use field::{FieldName, FixedField, field_name, fixed_field};
#[cfg(test)]
pub(crate) use policy::PUBLIC;
pub(crate) use policy::{Policy, is_public_path};
pub(crate) use reply::{JSON, ReadContext, ReadHandler, Reply, decode_segment};
