use appstitch_budget::{Budget, Exceeded};
use appstitch_types::inventory::SkippedRows;

use crate::{
    Inventory,
    error::{InventoryError, beginning, quoted},
    fields::{Fields, NoApp, bytes_of},
    format::InventoryFormat,
    known_keys::KnownKeys,
    slot::Text,
};

const KEPT_KEYS: usize = 5;

/// The most apps that space is reserved for before they are read: anyone can write many brackets.
const MOST_EXPECTED: usize = 1 << 14;

/// The apps that were found so far, and what is needed to say why there are none.
pub(crate) struct Collector<'b> {
    budget: &'b mut Budget,
    inventory: Inventory,
    /// Whether there was a list that a format is known for, or an empty list.
    pub(crate) is_recognized: bool,
    /// The limit that was reached, behind the error of a parser.
    stopped: Option<Exceeded>,
    pub(crate) known_keys: KnownKeys,
    /// The unknown keys, as far as a message quotes them.
    keys: Vec<String>,
    /// The apps of documents that are about one Mac each, without its name.
    nameless: Vec<std::ops::Range<usize>>,
}

impl<'b> Collector<'b> {
    pub(crate) fn new(budget: &'b mut Budget) -> Self {
        Self {
            budget,
            inventory: Inventory::default(),
            is_recognized: false,
            stopped: None,
            known_keys: KnownKeys::default(),
            keys: Vec::new(),
            nameless: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.inventory.apps.len()
    }

    /// Makes room for about this many apps: moving them when their list grows takes longer than
    /// counting them before.
    pub(crate) fn expect_apps(&mut self, count: usize) {
        self.inventory.apps.reserve_exact(count.min(MOST_EXPECTED));
    }

    pub(crate) fn count_entry(&mut self) -> Result<(), Exceeded> {
        let counted = self.budget.step(1).and_then(|()| self.budget.row());
        self.note(counted)
    }

    pub(crate) fn note_key(&mut self, key: &str) {
        // A file may have few keys, but each of them a million times.
        if self.keys.len() >= KEPT_KEYS {
            return;
        }
        let key = beginning(key);
        if !self.keys.iter().any(|known| known == key) {
            self.keys.push(key.to_owned());
        }
    }

    /// Takes an entry that ends. The apps from `start` on were found inside of it.
    pub(crate) fn end_entry(
        &mut self,
        mut fields: Fields,
        format: InventoryFormat,
        start: usize,
    ) -> Result<(), Exceeded> {
        if !fields.is_wrapper && !fields.has_versions {
            return self.add(fields, format);
        }
        if let Some(reason) = fields.rejects_entries() {
            self.drop_from(start, reason);
        } else if fields.has_versions && fields.is_other() {
            self.drop_from(start, NoApp::NotMac);
        } else if fields.has_versions && self.len() == start {
            self.skip(NoApp::NotInstalled);
        }
        if format == InventoryFormat::Rows
            && let Some(computer) = fields.take_computer()
        {
            fields.set(Text::Host, &computer);
        }
        if !fields.passes_on() {
            return Ok(());
        }
        for app in &mut self.inventory.apps[start..] {
            let before = bytes_of(app);
            fields.pass_on(app);
            let more = bytes_of(app).saturating_sub(before);
            if let Err(exceeded) = self.budget.hold(more) {
                self.stopped = Some(exceeded);
                return Err(exceeded);
            }
        }
        Ok(())
    }

    pub(crate) fn add(&mut self, fields: Fields, format: InventoryFormat) -> Result<(), Exceeded> {
        let format = match (format, fields.format) {
            (InventoryFormat::Rows, Some(typical)) => typical,
            _ => format,
        };
        match fields.into_app(format) {
            Ok(app) => {
                let held = self.budget.hold(bytes_of(&app));
                self.note(held)?;
                self.note_format(format);
                self.inventory.apps.push(app);
            }
            Err(reason) => self.skip(reason),
        }
        Ok(())
    }

    /// Takes a document that ends. If several documents are about one Mac each, their apps are kept
    /// apart.
    pub(crate) fn end_document(&mut self, start: usize) {
        let is_of_one_mac =
            self.inventory.formats.last().is_some_and(|format| format.is_of_one_mac());
        let has_host = self.inventory.apps[start..].iter().any(|app| app.host.is_some());
        if is_of_one_mac && !has_host && start < self.len() {
            self.nameless.push(start..self.len());
        }
    }

    fn note_format(&mut self, format: InventoryFormat) {
        // Usually it is the last one.
        if self.inventory.formats.last() != Some(&format) {
            self.inventory.formats.retain(|other| *other != format);
            self.inventory.formats.push(format);
        }
    }

    fn drop_from(&mut self, start: usize, reason: NoApp) {
        let dropped = self.len().saturating_sub(start);
        self.inventory.apps.truncate(start);
        *self.counter(reason) += dropped as u64;
    }

    fn skip(&mut self, reason: NoApp) {
        *self.counter(reason) += 1;
    }

    fn counter(&mut self, reason: NoApp) -> &mut u64 {
        let SkippedRows { not_mac_apps, not_installed, empty } = &mut self.inventory.skipped;
        match reason {
            NoApp::NotMac => not_mac_apps,
            NoApp::NotInstalled => not_installed,
            NoApp::Empty => empty,
        }
    }

    fn note(&mut self, result: Result<(), Exceeded>) -> Result<(), Exceeded> {
        if let Err(exceeded) = result {
            self.stopped = Some(exceeded);
        }
        result
    }

    /// The reason for an error of a parser, which may be a limit of ours.
    pub(crate) fn error(&self, format: &'static str, why: String) -> InventoryError {
        self.stopped.map_or(InventoryError::Invalid { format, why }, InventoryError::TooMuch)
    }

    /// The inventory, unless nothing in the file was understood.
    pub(crate) fn finish(mut self) -> Result<Inventory, InventoryError> {
        let skipped = self.inventory.skipped;
        if self.len() == 0 && (skipped.empty > 0 || !self.is_recognized) {
            return Err(InventoryError::Unrecognized { found: self.found() });
        }
        if self.nameless.len() > 1 {
            for (number, range) in self.nameless.iter().enumerate() {
                let host = format!("document {}", number + 1);
                for app in &mut self.inventory.apps[range.clone()] {
                    app.host = Some(host.clone());
                }
            }
        }
        Ok(self.inventory)
    }

    fn found(&self) -> String {
        let entries = self.inventory.skipped.empty;
        let keys: Vec<_> = self.keys.iter().map(|key| quoted(key)).collect();
        let keys = keys.join("', '");
        match (entries, keys.is_empty()) {
            (0, true) => "it has no entries".to_owned(),
            (0, false) => format!("it has the keys '{keys}'"),
            (_, true) => "no entry names an app".to_owned(),
            (_, false) => format!("no entry names an app (keys found: '{keys}')"),
        }
    }
}
