//! The shared implementation of validated text types.

/// Implements `as_str`, `Display` and `TryFrom<String>` for a text newtype. Deserialization uses
/// `TryFrom`, and therefore `parse`, so it rejects invalid values.
macro_rules! checked_text {
    ($name:ident) => {
        impl $name {
            /// The value as text.
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
