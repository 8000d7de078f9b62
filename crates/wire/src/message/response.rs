//! A response to a read, on the fast path and in the HTTP library.

use appstitch_bodies::Payload;
use arrayvec::ArrayVec;
use axum::http::StatusCode;

use super::{
    field::{FieldName, FixedField},
    policy::Policy,
};

/// A response, as either wire prints it: its parts in the order in which they are sent.
#[derive(Debug)]
pub struct ReadResponse {
    pub status: StatusCode,
    pub content: Option<Content>,
    pub fixed: ArrayVec<&'static FixedField, 3>,
    /// How many rows there are of which this is a page.
    pub total_count: Option<usize>,
    pub made: Option<(&'static FieldName, String)>,
    /// What it carries for its path.
    pub policy: Policy,
    /// The number of its route, for the metrics.
    pub route: usize,
}

/// A body and its type. Of a response to HEAD only its type and length are sent.
#[derive(Debug)]
pub struct Content {
    pub kind: &'static FixedField,
    pub payload: Payload,
}

pub(crate) const CONTENT_LENGTH: &FieldName = field_name!("content-length");
pub(crate) const TOTAL_COUNT: &FieldName = field_name!("x-total-count");

impl ReadResponse {
    /// A response without a body.
    #[must_use]
    #[inline]
    pub fn new(status: StatusCode, policy: Policy) -> Self {
        let fixed = ArrayVec::new_const();
        Self {
            status,
            content: None,
            fixed,
            total_count: None,
            made: None,
            policy,
            route: usize::MAX,
        }
    }

    #[inline]
    pub fn with_body(
        status: StatusCode,
        policy: Policy,
        kind: &'static FixedField,
        payload: impl Into<Payload>,
    ) -> Self {
        let content = Some(Content { kind, payload: payload.into() });
        Self { content, ..Self::new(status, policy) }
    }

    /// Adds a field that is always the same. No answer has more than there is room for.
    #[inline]
    pub fn add(&mut self, field: &'static FixedField) {
        let pushed = self.fixed.try_push(field);
        debug_assert!(pushed.is_ok(), "no room for {}", field.name);
    }
}
