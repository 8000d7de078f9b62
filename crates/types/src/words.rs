//! Enums of words.

/// Makes an enum whose values are words: in JSON, in queries and in texts. `ALL` has them in the order in
/// which they are listed.
#[macro_export]
macro_rules! words {
    ($(#[$on_type:meta])* $access:vis enum $type:ident {
        $($(#[$on_value:meta])* $value:ident = $word:literal,)+
    }) => {
        $(#[$on_type])*
        $access enum $type {
            $($(#[$on_value])* $value,)+
        }

        impl $type {
            /// Every value, in order.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            /// The name used in JSON and in queries.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }

            /// Looks up a value by its name, case-sensitive.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.word() == word)
            }
        }
    };
}
