//! Random choices that can be repeated.

/// A source of random choices. The same seed gives the same choices.
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        // The generator "splitmix64": short, and good enough to mix choices.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.next() % limit).unwrap_or(0)
    }

    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several texts; nothing if there is none.
    pub fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts.get(self.below(texts.len())).copied().unwrap_or_default()
    }

    /// Any character, mostly one that means something.
    pub fn character(&mut self) -> char {
        match self.below(8) {
            0 => char::from_u32(u32::try_from(self.below(0x11_0000)).unwrap_or(0)).unwrap_or('é'),
            1..=3 => char::from(u8::try_from(self.below(128)).unwrap_or(b'a')),
            _ => {
                let signs = "\"'`$(){}[]<>|&;#\\/%*?!=~+-.,:@^ \n\t\r\0abz019é\u{a0}";
                signs.chars().nth(self.below(signs.chars().count())).unwrap_or(' ')
            }
        }
    }
}
