//! The names of the functions.

/// Whether a function with so many arguments is known.
pub(super) fn is_known(name: &str, arguments: usize) -> bool {
    match arguments {
        0 => matches!(
            name,
            "not"
                | "empty"
                | "length"
                | "keys"
                | "first"
                | "last"
                | "sort"
                | "reverse"
                | "unique"
                | "add"
                | "min"
                | "max"
                | "tostring"
                | "tonumber"
                | "type"
                | "values"
                | "ascii_downcase"
                | "ascii_upcase"
        ),
        1 => matches!(
            name,
            "select"
                | "map"
                | "sort_by"
                | "max_by"
                | "min_by"
                | "first"
                | "last"
                | "test"
                | "has"
                | "startswith"
                | "endswith"
                | "ltrimstr"
                | "rtrimstr"
                | "split"
                | "join"
                | "any"
                | "all"
        ),
        _ => false,
    }
}
