//! How wide a text is in Verdana, the font of badges.
//!
//! A picture cannot ask which font its reader has. Its boxes are sized for Verdana, and the text is
//! stretched to fill them, so it fits in any font.

/// The advance widths of the characters from space to tilde, in units of which a text of one pixel
/// has 2048.
#[rustfmt::skip]
const ADVANCES: [u32; 95] = [
    720, 806, 940, 1676, 1302, 2204, 1488, 550, 930, 930, 1302, 1676, 745, 930, 745, 930,
    1302, 1302, 1302, 1302, 1302, 1302, 1302, 1302, 1302, 1302, 930, 930, 1676, 1676, 1676, 1117,
    2048, 1400, 1404, 1430, 1578, 1295, 1177, 1588, 1539, 862, 931, 1419, 1140, 1726, 1532, 1612,
    1235, 1612, 1424, 1400, 1262, 1499, 1400, 2025, 1403, 1260, 1403, 930, 930, 930, 1676, 1302,
    1302, 1230, 1276, 1067, 1276, 1220, 720, 1276, 1296, 562, 705, 1212, 562, 1992, 1296, 1243,
    1276, 1276, 874, 1067, 807, 1296, 1212, 1676, 1212, 1212, 1076, 1300, 930, 1300, 1676,
];

/// Of a letter that the table does not have.
const OTHER: u32 = 1302;

/// Of a letter of a script whose letters are as wide as they are high.
const WIDE: u32 = 2048;

const SIZE: u32 = 11;

/// The width of a text of 11 pixels, in pixels and always odd: then its middle is on a pixel.
pub(super) fn width(text: &str) -> u32 {
    let units: u32 = text.chars().map(advance).sum();
    (units * SIZE / 2048) | 1
}

fn advance(character: char) -> u32 {
    let number = u32::from(character);
    let known = number.checked_sub(32).and_then(|place| ADVANCES.get(place as usize));
    known.copied().unwrap_or(if number < 0x1100 { OTHER } else { WIDE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_that_readers_know() {
        // A badge with these texts is 88 pixels wide everywhere: 37 and 51 with 5 on each side.
        assert_eq!((width("build"), width("passing")), (27, 41));
        assert_eq!(width(""), 1);
        assert_eq!(width("1"), 7, "6.99 is cut, then odd");
        assert!(width("漢字") > width("ab"));
    }
}
