//! Values that are not printed when they are invalid, because they may have a password.

use std::ffi::OsStr;

use clap::{Arg, Command, Error, builder::TypedValueParser, error::ErrorKind};

/// Reads a value with a function. Unlike other parsers, it does not repeat an invalid value in the
/// error; the function decides what is reported.
#[derive(Clone, Copy)]
pub(super) struct Unprinted<T>(pub(super) fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Unprinted<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let text = value.to_str().ok_or_else(|| "not valid UTF-8".to_owned());
        text.and_then(self.0).map_err(|why| {
            let name = argument.map(Arg::to_string).unwrap_or_default();
            let message = format!("invalid value for '{name}': {why}");
            command.clone().error(ErrorKind::ValueValidation, message)
        })
    }
}
