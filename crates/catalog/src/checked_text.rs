//! What every kind of checked text has in common.

/// Gives a text newtype its reading side: as text, for display, and from JSON through its
/// `parse`, so that a value that breaks its rule cannot come in.
macro_rules! checked_text {
    ($name:ident) => {
        impl $name {
            /// The value as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::BrokenRule;

            fn try_from(text: String) -> Result<Self, $crate::BrokenRule> {
                Self::parse(&text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

pub(crate) use checked_text;
