//! A short run of every target: the committed inputs and some thousand made from them. The choices
//! are always the same. `cargo xtask fuzz` runs longer, and with coverage.

use std::{
    thread,
    time::{Duration, Instant},
};

use appstitch_fuzz::{TARGETS, committed_inputs, mutated};
use appstitch_hostile::Chance;

/// The size of a thread's stack where parsers run in production.
const STACK: usize = 2 << 20;

/// The longest that an input may take: a debug build on a busy machine is slow.
const LIMIT: Duration = Duration::from_secs(20);

/// One in so many inputs is made by the target's grammar.
const GENERATED: usize = 8;

fn smoke(name: &'static str) -> Result<(), String> {
    let target =
        TARGETS.iter().find(|target| target.name == name).ok_or("there is no such target")?;
    let mut open = (target.open)()?;
    let mut inputs = committed_inputs(name).map_err(|error| error.to_string())?;
    assert!(!inputs.is_empty(), "corpus/{name} is empty");
    inputs.extend(open.more_seeds());
    let mut check = |input: &[u8]| {
        let started = Instant::now();
        open.check(input).map_err(|property| format!("{input:?}: {property}"))?;
        if started.elapsed() > LIMIT {
            Err(format!("{input:?} took {:?}", started.elapsed()))
        } else {
            Ok(())
        }
    };
    for input in &inputs {
        check(input)?;
    }
    let known: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
    let mut grammar = (target.open)()?;
    let mut chance = Chance::new(16);
    for _ in 0..target.smoke_runs {
        let generated =
            if chance.once_in(GENERATED) { grammar.generate(&mut chance) } else { None };
        let mut input =
            generated.unwrap_or_else(|| mutated(target.dictionary, &known, &mut chance));
        input.truncate(target.input_bytes);
        check(&input)?;
    }
    Ok(())
}

macro_rules! smoke_tests {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let run = || smoke(stringify!($name));
            let thread = thread::Builder::new().stack_size(STACK).spawn(run).unwrap();
            assert_eq!(thread.join().unwrap(), Ok(()));
        })*

        #[test]
        fn every_target_has_a_smoke_test() {
            let tested = [$(stringify!($name)),*];
            let targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(targets, tested);
        }
    };
}

smoke_tests! {
    labels answers archives packed_files casks recipes title_table titles patch_titles store_listings
    records resolved_labels inventories versions addresses request_heads query_strings if_none_match lookups
    json_rpc backups carried_files
}
