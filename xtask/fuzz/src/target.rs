//! What a target is: one parser of foreign bytes, with its properties.

use appstitch_hostile::Chance;

pub trait Target {
    /// Runs the parser with one input. The error names the property that does not hold. A panic is a
    /// failure as well.
    fn check(&mut self, input: &[u8]) -> Result<(), String>;

    /// Makes an input by a grammar, for formats that mutations of bytes rarely hit.
    fn generate(&mut self, _chance: &mut Chance) -> Option<Vec<u8>> {
        None
    }

    /// Inputs to start from besides the committed ones.
    fn more_seeds(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Inputs from the upstreams' real files, if these are beside the workspace. The smoke run does
    /// without.
    fn real_inputs(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}

/// A target as the table lists it.
pub struct TargetEntry {
    /// Its name on the command line, which is also the name of its corpus.
    pub name: &'static str,
    /// Words of its format, which mutations put in.
    pub dictionary: &'static [&'static str],
    /// The most bytes of an input. Short ones reach the same code in less time.
    pub input_bytes: usize,
    /// How many inputs the smoke run makes. A debug build is slow.
    pub smoke_runs: u32,
    pub open: fn() -> Result<Box<dyn Target>, String>,
}

impl TargetEntry {
    pub const fn new(name: &'static str, open: fn() -> Result<Box<dyn Target>, String>) -> Self {
        Self { name, dictionary: &[], input_bytes: 1024, smoke_runs: 1000, open }
    }
}

pub(crate) fn ensure(holds: bool, property: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(property()) }
}

/// True for one in so many inputs, and always the same for one input: for checks that are too
/// expensive to make each time.
pub(crate) fn is_one_in(times: u64, input: &[u8]) -> bool {
    hash(input).is_multiple_of(times)
}

/// A hash that is the same in every process: FNV-1a with eight bytes at a time, and mixed at the end.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u64::from(*byte));
    let start = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    let hash = words.chain(rest).fold(start, |hash, part| {
        let hash = (hash ^ part).wrapping_mul(PRIME);
        hash ^ (hash >> 29)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7
}
