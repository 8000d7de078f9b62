//! Text in UTF-8 or UTF-16, with or without a byte order mark.

use std::borrow::Cow;

use appstitch_budget::Budget;

use crate::error::InventoryError;

pub(crate) fn decode<'a>(
    bytes: &'a [u8],
    budget: &mut Budget,
) -> Result<Cow<'a, str>, InventoryError> {
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes, budget),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes, budget),
        // What begins with an ASCII character and a zero byte is UTF-16 without a mark.
        [1..=0x7f, 0, _, _, ..] => utf16(bytes, u16::from_le_bytes, budget),
        [0, 1..=0x7f, _, _, ..] => utf16(bytes, u16::from_be_bytes, budget),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, InventoryError> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| InventoryError::NotText {
        found: match bytes {
            [b'P', b'K', 3, 4, ..] => "it is a ZIP archive or a workbook".to_owned(),
            _ => format!("byte {} is not UTF-8", error.valid_up_to()),
        },
    })
}

fn utf16<'a>(
    bytes: &[u8],
    unit: fn([u8; 2]) -> u16,
    budget: &mut Budget,
) -> Result<Cow<'a, str>, InventoryError> {
    // At most three bytes of UTF-8 for two of UTF-16.
    let room = bytes.len() / 2 * 3;
    budget.hold(room)?;
    let mut text = String::with_capacity(room);
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    for character in char::decode_utf16(units) {
        let character = character.map_err(|_| InventoryError::NotText {
            found: "it begins like UTF-16, but is not valid".to_owned(),
        })?;
        text.push(character);
    }
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<String, InventoryError> {
        decode(bytes, &mut Budget::default()).map(Cow::into_owned)
    }

    #[test]
    fn marks_and_zero_bytes_tell_the_encoding() {
        let units: Vec<u16> = "name,é😀\r\n".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let expected = "name,é😀\r\n";
        for file in [
            expected.as_bytes().to_vec(),
            [&b"\xef\xbb\xbf"[..], expected.as_bytes()].concat(),
            [&b"\xff\xfe"[..], &little].concat(),
            [&b"\xfe\xff"[..], &big].concat(),
            little,
            big,
        ] {
            assert_eq!(decoded(&file).unwrap(), expected);
        }
    }

    #[test]
    fn other_bytes_are_not_text() {
        for file in [&b"PK\x03\x04\xff"[..], b"caf\xe9", b"\xff\xfe\x00\xd8", b"\x00\xff\xff"] {
            assert!(matches!(decoded(file), Err(InventoryError::NotText { .. })), "{file:?}");
        }
    }
}
