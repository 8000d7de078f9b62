//! Fills values into the formats of `printf` and `sprintf`.

use super::value::{Value, refuse};
use crate::{Budget, Stopped, format::Conversion};

pub(super) fn format(
    format: &str,
    values: &[Value],
    budget: &mut Budget,
) -> Result<String, Stopped> {
    let mut text = String::new();
    let mut values = values.iter();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        budget.step(1)?;
        let (conversion, letter) = Conversion::parse("awk", &mut characters)?;
        let Some(letter) = letter.filter(|letter| *letter != '%') else {
            text.push('%');
            continue;
        };
        // Too few values are an error to awk, which prints nothing then.
        let value = values.next().ok_or_else(|| refuse("a format without a value"))?;
        let converted = match letter {
            's' => conversion.text(&value.to_text()),
            'd' | 'i' => conversion.integer(value.to_index()),
            'f' => conversion.float(value.to_number()),
            other => return Err(refuse(format_args!("the format %{other}"))),
        };
        budget.hold(converted.len())?;
        text.push_str(&converted);
    }
    budget.hold(format.len())?;
    Ok(text)
}
