//! Placeholder for the package.
fn main() {}
