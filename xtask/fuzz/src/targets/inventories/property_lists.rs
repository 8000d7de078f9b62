//! Writes a value as a property list, in XML and in binary.

use serde_json::Value;

/// Whether property lists have everything in it: they lack null, and numbers are read differently
/// unless they are whole and not negative.
pub(super) fn can_hold(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(_) | Value::String(_) => true,
        Value::Number(number) => number.as_i64().is_some_and(|number| number >= 0),
        Value::Array(values) => values.iter().all(can_hold),
        Value::Object(members) => members.values().all(can_hold),
    }
}

/// The XML of a value that a property list can hold.
pub(super) fn xml(value: &Value) -> String {
    let mut text = "<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\">".to_owned();
    write_xml(value, &mut text);
    text + "</plist>"
}

fn write_xml(value: &Value, text: &mut String) {
    match value {
        Value::Null => {}
        Value::Bool(truth) => text.push_str(if *truth { "<true/>" } else { "<false/>" }),
        Value::Number(number) => element("integer", &number.to_string(), text),
        Value::String(string) => element("string", string, text),
        Value::Array(values) => {
            text.push_str("<array>");
            for value in values {
                write_xml(value, text);
            }
            text.push_str("</array>");
        }
        Value::Object(members) => {
            text.push_str("<dict>");
            for (key, value) in members {
                element("key", key, text);
                write_xml(value, text);
            }
            text.push_str("</dict>");
        }
    }
}

fn element(name: &str, inside: &str, text: &mut String) {
    let inside = inside.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&#62;");
    text.extend(["<", name, ">", &inside, "</", name, ">"]);
}

/// The binary file of a value that a property list can hold.
pub(super) fn binary(value: &Value) -> Vec<u8> {
    let mut objects = Objects(Vec::new());
    let top = objects.add(value);
    let mut file = b"bplist00".to_vec();
    let mut offsets = Vec::new();
    for object in &objects.0 {
        offsets.extend(bytes(file.len(), OFFSET));
        file.extend(object);
    }
    let table = file.len();
    file.extend(offsets);
    file.extend([0; 6]);
    file.extend([OFFSET, REFERENCE].map(|size| u8::try_from(size).unwrap_or(0)));
    for number in [objects.0.len(), top, table] {
        file.extend(bytes(number, 8));
    }
    file
}

/// The sizes of offsets and of references.
const OFFSET: usize = 3;
const REFERENCE: usize = 2;

/// The last bytes of a number.
fn bytes(number: usize, count: usize) -> Vec<u8> {
    let all = (number as u64).to_be_bytes();
    all[all.len() - count..].to_vec()
}

/// The objects of a file, in the order of their numbers.
struct Objects(Vec<Vec<u8>>);

impl Objects {
    /// Adds a value with everything in it; its number.
    fn add(&mut self, value: &Value) -> usize {
        let object = match value {
            Value::Null => vec![0],
            Value::Bool(truth) => vec![if *truth { 9 } else { 8 }],
            Value::Number(number) => {
                [vec![0x13], number.as_u64().unwrap_or(0).to_be_bytes().to_vec()].concat()
            }
            Value::String(text) => string(text),
            Value::Array(values) => {
                let values: Vec<usize> = values.iter().map(|value| self.add(value)).collect();
                [marker(0xa0, values.len()), references(&values)].concat()
            }
            Value::Object(members) => {
                let keys: Vec<usize> = members.keys().map(|key| self.push(string(key))).collect();
                let values: Vec<usize> = members.values().map(|value| self.add(value)).collect();
                [marker(0xd0, keys.len()), references(&keys), references(&values)].concat()
            }
        };
        self.push(object)
    }

    fn push(&mut self, object: Vec<u8>) -> usize {
        self.0.push(object);
        self.0.len() - 1
    }
}

fn references(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|number| bytes(*number, REFERENCE)).collect()
}

fn string(text: &str) -> Vec<u8> {
    if text.is_ascii() {
        return [marker(0x50, text.len()), text.as_bytes().to_vec()].concat();
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let bytes = units.iter().flat_map(|unit| unit.to_be_bytes());
    [marker(0x60, units.len()), bytes.collect()].concat()
}

/// The kind of an object and its length. A length of 15 or more follows as a number.
fn marker(kind: u8, length: usize) -> Vec<u8> {
    match u8::try_from(length) {
        Ok(length @ 0..15) => vec![kind | length],
        _ => [vec![kind | 0xf, 0x11], bytes(length, 2)].concat(),
    }
}
