//! What crosses between the wire and the endpoints: two plain structs, [`Asked`] and [`Answer`].

#[macro_use]
mod field;

mod answer;
mod asked;
mod policy;

pub use answer::{Answer, Content};
pub(crate) use answer::{CONTENT_LENGTH, TOTAL_COUNT};
pub use asked::{Asked, HeaderField, Verb};
pub use field::{FieldName, FixedField};
#[cfg(test)]
pub(crate) use policy::PUBLIC;
pub use policy::{EntityTag, Policy, entity_tag};
