//! The colors of badges, as Shields names and paints them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Color {
    /// As it should be.
    Green,
    /// A plain fact.
    Blue,
    /// Behind, or not yet stable.
    Orange,
    /// Lower than somebody requires.
    Red,
    /// Nothing to say, or nothing to compare.
    LightGrey,
}

/// The color behind the text on the left.
pub(super) const LEFT: Paint = Paint(0x55, 0x55, 0x55);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint(pub(super) u8, pub(super) u8, pub(super) u8);

/// The brightest background, in thousandths, on which white text is readable.
const BRIGHT: u32 = 690;

impl Color {
    /// The name that Shields knows.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Red => "red",
            Self::LightGrey => "lightgrey",
        }
    }

    pub(super) const fn paint(self) -> Paint {
        match self {
            Self::Green => Paint(0x67, 0xac, 0x09),
            Self::Blue => Paint(0x00, 0x7e, 0xc6),
            Self::Orange => Paint(0xea, 0x72, 0x33),
            Self::Red => Paint(0xdd, 0x43, 0x43),
            Self::LightGrey => Paint(0x93, 0x93, 0x93),
        }
    }

    /// The color of a version: what comes before a first release is not for everybody.
    pub(super) fn of_version(version: &str) -> Self {
        const STAGES: [&str; 9] =
            ["alpha", "beta", "canary", "dev", "nightly", "pre", "preview", "rc", "snapshot"];
        let number = version.strip_prefix(['v', 'V']).unwrap_or(version);
        let words = version.split(|character: char| !character.is_ascii_alphabetic());
        let is_stage = |word: &str| STAGES.iter().any(|stage| stage.eq_ignore_ascii_case(word));
        if number.starts_with("0.") || words.into_iter().any(is_stage) {
            Self::Orange
        } else {
            Self::Blue
        }
    }
}

impl Paint {
    pub(super) fn hex(self) -> String {
        let Self(red, green, blue) = self;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// The colors of text on this one, and of the shadow behind the text.
    pub(super) fn text(self) -> (&'static str, &'static str) {
        let [red, green, blue] = [self.0, self.1, self.2].map(u32::from);
        // The weights are those of perceived brightness.
        let brightness = red * 299 + green * 587 + blue * 114;
        if brightness <= BRIGHT * 255 { ("#fff", "#010101") } else { ("#333", "#ccc") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_before_the_first_release_is_orange() {
        for version in ["0.9", "v0.1", "155.0-beta3", "5.0 RC 1", "1.0-dev", "2.0.alpha"] {
            assert_eq!(Color::of_version(version), Color::Orange, "{version}");
        }
        for version in ["154.0", "v2", "2026.1", "8.0.47 CE", "1.21.15b", "10.0.arch", "00"] {
            assert_eq!(Color::of_version(version), Color::Blue, "{version}");
        }
    }

    #[test]
    fn text_is_dark_on_bright_colors() {
        for color in [Color::Green, Color::Blue, Color::Orange, Color::Red, Color::LightGrey] {
            assert_eq!(color.paint().text().0, "#fff", "{color:?}");
        }
        assert_eq!(Paint(0xff, 0xff, 0xff).text(), ("#333", "#ccc"));
        assert_eq!(Paint(176, 176, 176).text().0, "#333", "0.6902");
        assert_eq!(Paint(175, 175, 175).text().0, "#fff", "0.6863");
        assert_eq!(LEFT.hex(), "#555555");
    }
}
