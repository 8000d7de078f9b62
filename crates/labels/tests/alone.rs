//! The crate starts no process and sees no file, clock, environment or network of the machine.

use std::{fs, io, path::Path};

/// The modules of the standard library that the sources must not name.
const OUTSIDE: [&str; 6] = ["process", "fs", "env", "time", "net", "thread"];

/// The text of a source file without its tests, which stand at the end, and without blanks.
fn source(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    text.split_whitespace().collect()
}

/// The module that a text names, directly or in a group of imports.
fn named(text: &str) -> Option<&'static str> {
    let groups = text.split("usestd::{").skip(1).filter_map(|rest| rest.split(';').next());
    let imports: Vec<&str> = groups.flat_map(|group| group.split([',', '{', '}'])).collect();
    OUTSIDE.into_iter().find(|name| {
        let starts = |it: &&str| *it == *name || it.starts_with(&format!("{name}::"));
        text.contains(&format!("std::{name}")) || imports.iter().any(starts)
    })
}

fn check(folder: &Path, checked: &mut usize) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            check(&path, checked)?;
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            *checked += 1;
            let text = source(&fs::read_to_string(&path)?);
            assert_eq!(named(&text), None, "{}", path.display());
        }
    }
    Ok(())
}

#[test]
fn nothing_of_the_machine_is_touched() {
    let mut checked = 0;
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut checked).unwrap();
    assert!(checked > 100, "only {checked} files were looked at");
}

#[test]
fn every_way_of_importing_is_found() {
    for text in
        ["std::fs::read(x)", "use std::{\n    rc::Rc,\n    time::Instant,\n};", "use std::env;"]
    {
        assert!(named(&source(text)).is_some(), "{text}");
    }
    assert_eq!(
        named(&source("use std::{rc::Rc, fmt};\n#[cfg(test)]\nmod tests { std::fs }")),
        None
    );
}
