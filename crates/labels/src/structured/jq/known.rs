//! The names of the functions.

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
                | "tostring"
                | "tonumber"
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
                | "startswith"
                | "endswith"
                | "ltrimstr"
                | "rtrimstr"
                | "split"
                | "join"
        ),
        _ => false,
    }
}
