//! Names in the form in which they are compared.

/// Normalizes a name: only letters and digits, in lowercase. Plus signs are kept because
/// `Notepad++` is not `Notepad`.
pub(crate) fn normal(text: &str) -> String {
    let kept = text.chars().filter(|character| character.is_alphanumeric() || *character == '+');
    kept.flat_map(char::to_lowercase).collect()
}
