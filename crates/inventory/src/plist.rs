//! Property lists, as deserializers for the reader of JSON: XML and binary ones.

pub(crate) mod binary;
pub(crate) mod xml;

use std::fmt::Display;

use serde::de::{Error as _, value::Error};

const FORMAT: &str = "property list";
const PLAIN_VALUE: &str = "it has a plain value where a list or a dictionary is expected";

/// How deep values may be nested, as in JSON.
const MAX_DEPTH: u32 = 128;

fn fault(why: impl Display) -> Error {
    Error::custom(why)
}

#[derive(Default)]
struct Depth(u32);

impl Depth {
    fn enter(&mut self) -> Result<(), Error> {
        if self.0 == MAX_DEPTH {
            return Err(fault(format_args!("it is nested more than {MAX_DEPTH} levels deep")));
        }
        self.0 += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.0 -= 1;
    }
}
