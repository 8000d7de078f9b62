//! Names in the form in which they are compared.

/// Normalizes a name: only letters and digits, in lowercase. Plus signs are kept because
/// `Notepad++` is not `Notepad`.
pub fn normal(text: &str) -> String {
    let is_kept_byte = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'+';
    if text.as_bytes().iter().all(is_kept_byte) {
        return text.to_ascii_lowercase();
    }
    if text.is_ascii() {
        let kept = text.bytes().filter(is_kept_byte);
        let mut normal = String::with_capacity(text.len());
        normal.extend(kept.map(|byte| char::from(byte.to_ascii_lowercase())));
        return normal;
    }
    let kept = text.chars().filter(|character| is_kept(*character));
    kept.flat_map(char::to_lowercase).collect()
}

pub fn has_normal_form(text: &str) -> bool {
    text.contains(is_kept)
}

fn is_kept(character: char) -> bool {
    character.is_alphanumeric() || character == '+'
}
