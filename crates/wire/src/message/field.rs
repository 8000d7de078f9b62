//! Header fields, as far as they are known when the program is built.

/// A field with one value, and the line it is on the wire.
#[derive(Debug, PartialEq, Eq)]
pub struct FixedField {
    /// In lower case.
    pub name: &'static str,
    pub value: &'static str,
    /// Both as they are sent, with the end of the line.
    pub line: &'static str,
}

/// The name of a field, and the beginning of its line.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldName {
    /// In lower case.
    pub name: &'static str,
    /// With the colon behind it.
    pub start: &'static str,
}

/// A field that is always the same: `fixed_field!("vary", "accept")`.
#[macro_export]
macro_rules! fixed_field {
    ($name:literal, $value:literal) => {
        &$crate::FixedField {
            name: $name,
            value: $value,
            line: concat!($name, ": ", $value, "\r\n"),
        }
    };
}

/// The name of a field whose value differs: `field_name!("link")`.
#[macro_export]
macro_rules! field_name {
    ($name:literal) => {
        &$crate::FieldName { name: $name, start: concat!($name, ": ") }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_name_and_value() {
        let field: &FixedField = fixed_field!("vary", "accept");
        assert_eq!((field.name, field.value, field.line), ("vary", "accept", "vary: accept\r\n"));
        let name: &FieldName = field_name!("link");
        assert_eq!((name.name, name.start), ("link", "link: "));
    }
}
