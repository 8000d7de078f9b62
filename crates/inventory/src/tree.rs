//! Finds entries in JSON and property lists, in one pass.
//!
//! An object is an app, or something around apps: which one is known when it ends. Keys that mean
//! nothing are skipped, whatever their values are, and so are values of an unexpected type.

use std::fmt;

use appstitch_budget::Exceeded;
use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use crate::{
    collector::Collector,
    fields::Fields,
    format::InventoryFormat,
    slot::{Slot, Text},
};

/// Reads one document. Returns whether it is a list or an object at all.
pub(crate) fn read_document<'de, D: Deserializer<'de>>(
    deserializer: D,
    collector: &mut Collector<'_>,
) -> Result<bool, D::Error> {
    let start = collector.len();
    let mut around = Fields::default();
    let slot = Slot::Entries(InventoryFormat::Rows, None);
    Value { slot, fields: &mut around, collector, is_top: true }.deserialize(deserializer)?;
    collector.end_document(start);
    Ok(around.is_wrapper)
}

struct Value<'a, 'b> {
    slot: Slot,
    fields: &'a mut Fields,
    collector: &'a mut Collector<'b>,
    is_top: bool,
}

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if let Some(meaning) = self.meaning() {
            self.fields.set(meaning, text);
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, truth: bool) -> Result<(), E> {
        if let Some(meaning) = self.meaning() {
            self.fields.set_truth(meaning, truth);
        }
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    /// The spelling of a fraction is lost: `1.10` would be another version than what was written.
    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        if let Some(meaning) = self.meaning() {
            self.fields.set_nothing(meaning);
        }
        self.fields.has_versions |= self.slot == Slot::Versions;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let Self { slot, fields, collector, is_top } = self;
        let is_list = matches!(slot, Slot::Entries(..) | Slot::Versions);
        note_list(slot, fields, collector, is_top);
        let mut count = 0_usize;
        loop {
            let element = Value { slot, fields, collector, is_top: false };
            if elements.next_element_seed(element)?.is_none() {
                break;
            }
            if is_list {
                collector.count_entry().map_err(stopped)?;
            }
            count += 1;
        }
        collector.is_recognized |= is_top && count == 0;
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { slot, fields, collector, is_top } = self;
        match slot {
            Slot::Text(_) => {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(())
            }
            Slot::General => read_members(members, fields, collector, Around::Computer),
            Slot::Machine => read_members(members, fields, collector, Around::Machine),
            Slot::Signatures => read_members(members, fields, collector, Around::Signature),
            Slot::Entries(..) | Slot::Versions => {
                if is_top {
                    fields.is_wrapper = true;
                    collector.count_entry().map_err(stopped)?;
                } else {
                    note_list(slot, fields, collector, is_top);
                }
                let start = collector.len();
                let mut fields = Fields::default();
                read_members(members, &mut fields, collector, Around::Entry)?;
                let format = match slot {
                    Slot::Entries(format, _) => format,
                    _ => InventoryFormat::Fleet,
                };
                collector.end_entry(fields, format, start).map_err(stopped)
            }
        }
    }
}

impl Value<'_, '_> {
    fn meaning(&self) -> Option<Text> {
        match self.slot {
            Slot::Text(meaning) => Some(meaning),
            Slot::Entries(_, meaning) => meaning,
            Slot::Versions | Slot::General | Slot::Machine | Slot::Signatures => None,
        }
    }
}

fn note_list(slot: Slot, fields: &mut Fields, collector: &mut Collector<'_>, is_top: bool) {
    match slot {
        Slot::Entries(..) => {
            fields.is_wrapper = true;
            collector.is_recognized |= !is_top;
        }
        Slot::Versions => fields.has_versions = true,
        Slot::General | Slot::Machine | Slot::Signatures | Slot::Text(_) => {}
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Entry,
    Computer,
    Machine,
    Signature,
}

fn read_members<'de, A: MapAccess<'de>>(
    mut members: A,
    fields: &mut Fields,
    collector: &mut Collector<'_>,
    around: Around,
) -> Result<(), A::Error> {
    while let Some(slot) = members.next_key_seed(Key { around, fields, collector })? {
        match slot {
            None => {
                members.next_value::<IgnoredAny>()?;
            }
            Some(slot) => {
                members.next_value_seed(Value { slot, fields, collector, is_top: false })?;
            }
        }
    }
    Ok(())
}

/// A key; the result is its meaning.
struct Key<'a, 'b> {
    around: Around,
    fields: &'a mut Fields,
    collector: &'a mut Collector<'b>,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = Option<Slot>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Slot>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = Option<Slot>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Option<Slot>, E> {
        let known = self.collector.known_keys.meaning(key);
        if known.is_none() && self.around == Around::Entry {
            self.collector.note_key(key);
        }
        let Some((slot, format)) = known else { return Ok(None) };
        self.fields.format = self.fields.format.or(format);
        Ok(match (self.around, slot) {
            (Around::Entry, _)
            | (Around::Machine, Slot::Text(Text::Host))
            | (Around::Signature, Slot::Text(Text::TeamId)) => Some(slot),
            (Around::Computer, Slot::Text(Text::Name)) => Some(Slot::Text(Text::Host)),
            (Around::Computer | Around::Machine | Around::Signature, _) => None,
        })
    }
}

fn stopped<E: Error>(exceeded: Exceeded) -> E {
    E::custom(exceeded)
}
