//! The two tools whose XML and `XPath` differ.

/// Which tool reads and evaluates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `xpath`: Perl's `XML::XPath` over expat.
    Perl,
    /// `xmllint`: libxml2.
    Libxml,
}
