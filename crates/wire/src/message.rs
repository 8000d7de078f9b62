//! What crosses between the wire and the endpoints: [`ReadRequest`] and [`ReadResponse`].

#[macro_use]
mod field;

mod policy;
mod request;
mod response;

pub use field::{FieldName, FixedField};
#[cfg(test)]
pub(crate) use policy::PUBLIC;
pub use policy::{EntityTag, Policy, entity_tag};
pub use request::{HeaderField, ReadRequest, Verb};
pub(crate) use response::{CONTENT_LENGTH, TOTAL_COUNT};
pub use response::{Content, ReadResponse};
