//! What is answered, whoever speaks HTTP.

use appstitch_snapshot::Payload;
use arrayvec::ArrayVec;
use axum::http::StatusCode;

use super::{
    field::{FieldName, FixedField},
    policy::Policy,
};

/// An answer, as either wire prints it: its parts in the order in which they are sent.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) status: StatusCode,
    pub(crate) content: Option<Content>,
    /// Fields that are always the same.
    pub(crate) fixed: ArrayVec<&'static FixedField, 3>,
    /// How many rows there are of which this is a page.
    pub(crate) total_count: Option<usize>,
    /// A field that was made for this answer.
    pub(crate) made: Option<(&'static FieldName, String)>,
    /// What it carries for its path.
    pub(crate) policy: Policy<'a>,
}

/// A body and its type. Of an answer to HEAD only its type and length are sent.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) kind: &'static FixedField,
    pub(crate) payload: Payload,
}

pub(crate) const CONTENT_LENGTH: &FieldName = field_name!("content-length");
pub(crate) const TOTAL_COUNT: &FieldName = field_name!("x-total-count");

impl<'a> Answer<'a> {
    #[inline]
    pub(crate) fn new(status: StatusCode, policy: Policy<'a>) -> Self {
        let fixed = ArrayVec::new_const();
        Self { status, content: None, fixed, total_count: None, made: None, policy }
    }

    /// An answer with a body.
    #[inline]
    pub(crate) fn with_body(
        status: StatusCode,
        policy: Policy<'a>,
        kind: &'static FixedField,
        payload: impl Into<Payload>,
    ) -> Self {
        let content = Some(Content { kind, payload: payload.into() });
        Self { content, ..Self::new(status, policy) }
    }

    /// Adds a field that is always the same. No answer has more than there is room for.
    #[inline]
    pub(crate) fn add(&mut self, field: &'static FixedField) {
        let pushed = self.fixed.try_push(field);
        debug_assert!(pushed.is_ok(), "no room for {}", field.name);
    }
}
