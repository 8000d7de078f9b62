//! What an endpoint returns, and what it is answered from.
//!
//! What crosses between the wire and a read is in `appstitch-wire`; it is named here as well.

pub(crate) use appstitch_wire::{
    Answer, Asked, Content, FixedField, HeaderField, Policy, Verb, field_name, fixed_field,
};

mod document;
mod policy;
mod reply;

pub(crate) use document::{Document, DocumentBody, DocumentKind};
pub(crate) use policy::{FAILURE, FINAL, is_public_path, policy_of};
pub(crate) use reply::{JSON, ReadContext, ReadHandler, Reply, decode_segment};
