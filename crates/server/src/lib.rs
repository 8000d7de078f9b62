//! Placeholder for the package.
