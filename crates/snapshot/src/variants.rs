//! The records of each product that has several.

use std::collections::BTreeMap;

use hashbrown::HashMap;

use crate::slugs::Slugs;

#[derive(Default)]
pub(crate) struct VariantIndex {
    /// The positions of a product's records; the main one is first, the others are in slug order.
    groups: Vec<Box<[u32]>>,
    /// The number of each record's group.
    group_of: HashMap<u32, u32>,
}

impl VariantIndex {
    pub(crate) fn size(&self) -> usize {
        self.groups
            .iter()
            .map(|group| size_of_val(&**group) + size_of::<Box<[u32]>>())
            .sum::<usize>()
            + self.group_of.allocation_size()
    }

    /// The variants of a record, itself included; empty if it is the only one.
    pub(crate) fn of(&self, position: u32) -> &[u32] {
        self.group_of.get(&position).map_or(&[], |group| &self.groups[*group as usize])
    }

    /// Whether all records are of the same product as this one.
    pub(crate) fn are_of_one(&self, position: u32, others: &[u32]) -> bool {
        let group = self.group_of.get(&position);
        others.iter().all(|other| {
            *other == position || (group.is_some() && self.group_of.get(other) == group)
        })
    }

    /// The record that stands for several records in slug order, if all are of one product: the
    /// main one if it is among them, otherwise the first.
    pub(crate) fn main_of_all(&self, positions: &[u32]) -> Option<u32> {
        let [first, others @ ..] = positions else { return None };
        let group = self.group_of.get(first)?;
        let same = others.iter().all(|other| self.group_of.get(other) == Some(group));
        let main = self.groups[*group as usize].first().filter(|main| positions.contains(main));
        (!others.is_empty() && same).then(|| *main.unwrap_or(first))
    }
}

#[derive(Default)]
pub(crate) struct VariantIndexBuilder(BTreeMap<String, Vec<u32>>);

impl VariantIndexBuilder {
    /// Adds a record. `variant_of` is the slug of its main record, if it has variants.
    pub(crate) fn push(&mut self, position: u32, variant_of: Option<&str>) {
        if let Some(main) = variant_of {
            match self.0.get_mut(main) {
                Some(group) => group.push(position),
                None => drop(self.0.insert(main.to_owned(), vec![position])),
            }
        }
    }

    pub(crate) fn finish(self, slugs: &Slugs) -> VariantIndex {
        let mut index = VariantIndex::default();
        for (main, mut group) in self.0 {
            // A manual record in place of the main record does not know its variants.
            if let Some(main) = slugs.find(&main) {
                group.retain(|position| *position != main);
                group.insert(0, main);
            }
            let number = u32::try_from(index.groups.len()).unwrap_or(u32::MAX);
            index.group_of.extend(group.iter().map(|position| (*position, number)));
            index.groups.push(group.into());
        }
        index
    }
}
