use std::io::BufReader;

use appstitch_budget::{Exceeded, Limits};

use super::*;

/// The elements of an array, read in pieces of some bytes.
fn elements(json: &[u8], piece: usize) -> Result<Vec<Result<String, String>>, FileError> {
    let mut reader = BufReader::with_capacity(piece, json);
    let mut stream = JsonStream::new(&mut reader);
    let mut found = Vec::new();
    let budget = &mut Budget::default();
    stream.elements(budget, &mut |stream, budget| {
        found.push(stream.value(budget)?.map(str::to_owned));
        Ok(())
    })?;
    stream.end(budget)?;
    Ok(found)
}

#[test]
fn values_are_found_wherever_the_pieces_end() {
    let values = [
        r#"{"a":"]}\\\"{","b":[1,[2]]}"#,
        r#""a,]\\""#,
        "-1.5e3",
        "null",
        r#"["\u005d",{}]"#,
        "{}",
        "[]",
    ];
    let json = format!(" [ {} ]\n", values.join(" ,\t"));
    for piece in 1..20 {
        let found = elements(json.as_bytes(), piece).unwrap();
        let found: Vec<&str> = found.iter().map(|value| value.as_deref().unwrap()).collect();
        assert_eq!(found, values);
    }
    assert_eq!(elements(b"[]", 9).unwrap(), []);
}

#[test]
fn a_broken_structure_is_unreadable() {
    for json in ["", "{}", "[", "[1", "[1 2]", "[1,]", "[,1]", "[] x", "[\"a]", "[{]", "[1}"] {
        assert!(elements(json.as_bytes(), 9).is_err(), "{json}");
    }
}

#[test]
fn a_value_that_is_too_large_or_no_text_is_told_alone() {
    let huge = "x".repeat(MAX_ENTRY_BYTES);
    let json = [b"[1,\"".as_slice(), huge.as_bytes(), b"\",\"\xff\",2]"].concat();
    let found = elements(&json, 1 << 16).unwrap();
    assert_eq!((found[0].as_deref(), found[3].as_deref()), (Ok("1"), Ok("2")));
    assert!(found[1].as_ref().unwrap_err().contains("larger than 4194304 bytes"));
    assert!(found[2].is_err());
}

#[test]
fn work_is_limited_by_steps() {
    let mut json: &[u8] = &vec![b' '; 100_000];
    let mut stream = JsonStream::new(&mut json);
    let mut budget = Budget::new(Limits { steps: 1000, ..Limits::NONE });
    let result = stream.elements(&mut budget, &mut |_, _| Ok(()));
    assert_eq!(result, Err(FileError::Exceeded(Exceeded::Steps(1000))));
}
