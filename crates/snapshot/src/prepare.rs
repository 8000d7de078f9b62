//! What is made on first use, made in advance for those who used it in the revision before.
//!
//! A server that nobody asks for inventories or pages never pays for them.

use appstitch_catalog::DriftScope;

use crate::Snapshot;

impl Snapshot {
    /// Makes what was in use in the previous snapshot, so that no request has to wait for it. This
    /// takes a while and must not run on an async thread.
    pub fn prepare_like(&self, previous: &Self) {
        if previous.is_prepared_for_installed() {
            self.prepare_installed();
        }
        if previous.contents.vendors.get().is_some() {
            let _ = self.vendors();
        }
        for scope in DriftScope::ALL {
            if previous.contents.drift_tables[scope.number()].get().is_some() {
                let _ = self.drift_table(scope);
            }
        }
    }
}
