//! Sets of bytes as tables, for texts of which every byte is looked up.

/// Letters, digits, and these marks.
pub(crate) const fn alphanumeric_or(marks: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        table[byte as usize] = byte.is_ascii_alphanumeric();
        byte += 1;
    }
    let mut index = 0;
    while index < marks.len() {
        table[marks[index] as usize] = true;
        index += 1;
    }
    table
}
