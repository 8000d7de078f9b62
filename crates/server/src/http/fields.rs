//! Header fields, read and written without regard to who speaks HTTP.
//!
//! Most reads are answered straight from and to the connection's bytes (see [`crate::quick`]),
//! everything else by way of the HTTP library's map. What is asked and what is answered must not
//! depend on that, so both are told through these two traits.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The fields of a request.
pub(crate) trait Fields {
    /// The values of every field with a name, in their order.
    fn all<'a>(&'a self, name: &'a HeaderName) -> impl Iterator<Item = &'a [u8]>;
}

impl Fields for HeaderMap {
    fn all<'a>(&'a self, name: &'a HeaderName) -> impl Iterator<Item = &'a [u8]> {
        self.get_all(name).iter().map(HeaderValue::as_bytes)
    }
}

/// Where the fields of an answer go.
pub(crate) trait FieldSink {
    fn add_static(&mut self, name: HeaderName, value: &'static str);
    fn add_number(&mut self, name: HeaderName, value: usize);
    /// Adds a value that is printable; any other would be left out.
    fn add(&mut self, name: HeaderName, value: &[u8]);
}

impl FieldSink for HeaderMap {
    fn add_static(&mut self, name: HeaderName, value: &'static str) {
        self.insert(name, HeaderValue::from_static(value));
    }

    fn add_number(&mut self, name: HeaderName, value: usize) {
        self.insert(name, HeaderValue::from(value));
    }

    fn add(&mut self, name: HeaderName, value: &[u8]) {
        if let Ok(value) = HeaderValue::from_bytes(value) {
            self.insert(name, value);
        }
    }
}
