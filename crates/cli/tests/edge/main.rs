//! The static edge: `appstitch export`, its files, and nginx with the sample configuration.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(target_os = "linux")]

mod carried;
mod comparing;
mod exported;
mod names;
mod nginx;
mod object_storage;
mod refusing;
#[path = "../service"]
mod service {
    #[expect(dead_code, unused_imports, reason = "these tests use a few of the helpers")]
    pub(crate) mod support;
}
mod switching;
mod unlike;
