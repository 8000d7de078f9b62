//! libFuzzer with one target. `cargo xtask fuzz` builds and starts it.

#![no_main]
#![expect(clippy::panic, reason = "libFuzzer takes a panic as a failure")]

use std::{
    cell::RefCell,
    env, fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use appstitch_fuzz::{TARGETS, Target, TargetEntry, mutated};
use appstitch_hostile::Chance;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

const NAME: &str = "APPSTITCH_FUZZ_TARGET";

/// Names a folder for the inputs of the target that are not committed.
const SEEDS: &str = "APPSTITCH_FUZZ_SEEDS";

/// One in so many inputs is made by the target's grammar, and one in so many by our mutations, which
/// know the words of its format. Both take longer than libFuzzer's mutations.
const GENERATED: usize = 32;
const MUTATED: usize = 4;

static ENTRY: LazyLock<&TargetEntry> = LazyLock::new(|| {
    let name = env::var(NAME).unwrap_or_default();
    let entry = TARGETS.iter().copied().find(|target| target.name == name);
    entry.unwrap_or_else(|| panic!("{NAME}: there is no target '{name}'"))
});

thread_local! {
    static TARGET: RefCell<Box<dyn Target>> =
        RefCell::new((ENTRY.open)().unwrap_or_else(|why| panic!("{}: {why}", ENTRY.name)));
}

/// libFuzzer reads the folder after this.
fn write_seeds() {
    let Some(folder) = env::var_os(SEEDS).map(PathBuf::from) else { return };
    let seeds = TARGET.with_borrow(|target| [target.more_seeds(), target.real_inputs()].concat());
    for (number, seed) in seeds.iter().enumerate() {
        write(&folder.join(format!("seed-{number}")), seed);
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

fuzz_target!(init: write_seeds(), |input: &[u8]| {
    if let Err(property) = TARGET.with_borrow_mut(|target| target.check(input)) {
        panic!("a property does not hold: {property}");
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut chance = Chance::new(seed.into());
    let most = max_size.min(ENTRY.input_bytes);
    let generated = chance
        .once_in(GENERATED)
        .then(|| TARGET.with_borrow_mut(|target| target.generate(&mut chance)))
        .flatten();
    let input = generated.or_else(|| {
        chance.once_in(MUTATED).then(|| mutated(ENTRY.dictionary, &[&data[..size]], &mut chance))
    });
    let Some(mut input) = input else { return fuzzer_mutate(data, size.min(most), most) };
    input.truncate(most);
    data[..input.len()].copy_from_slice(&input);
    input.len()
});
