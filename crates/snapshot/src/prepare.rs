//! What is made when it is first needed, made in advance.

use appstitch_catalog::DriftScope;

use crate::Snapshot;

impl Snapshot {
    /// Makes the lists of vendors and of drift, so that no page has to wait for them. They take a few
    /// milliseconds.
    pub fn prepare_pages(&self) {
        let _ = self.vendors();
        let _ = self.drift_table(DriftScope::default());
    }

    /// Makes what else was in use in the previous snapshot. This takes a while and must not run on an
    /// async thread. A server that nobody asks for inventories never pays for them.
    pub fn prepare_like(&self, previous: &Self) {
        if previous.is_prepared_for_installed() {
            self.prepare_installed();
        }
        for scope in DriftScope::ALL {
            if previous.contents.drift_tables[scope.number()].get().is_some() {
                let _ = self.drift_table(scope);
            }
        }
    }
}
