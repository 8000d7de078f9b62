//! The migrations of a store's schema.

use refinery::{Migration, Runner};

use crate::{NextVersion, StoreError};

/// The migration that a test pretends to be that of the next version.
const NEXT: &str =
    "ALTER TABLE record ADD COLUMN next_version TEXT; CREATE TABLE next_version (number INTEGER);";

/// The migrations of this program, from those in its files.
pub(crate) fn all(files: &Runner) -> Result<Runner, StoreError> {
    let mut migrations = files.get_migrations().clone();
    if NextVersion::Schema.is_pretended() {
        let name = format!("V{}__next", newest(&migrations) + 1);
        migrations.push(Migration::unapplied(&name, NEXT)?);
    }
    Ok(Runner::new(&migrations))
}

/// The newest schema that this program supports.
pub(crate) fn known(files: &Runner) -> Result<i32, StoreError> {
    Ok(newest(all(files)?.get_migrations()))
}

/// Rejects a store that a newer version has migrated.
pub(crate) fn refuse_newer(found: i32, files: &Runner) -> Result<(), StoreError> {
    let known = known(files)?;
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

/// Rejects a store that this version would have to migrate.
pub(crate) fn refuse_older(found: i32, files: &Runner) -> Result<(), StoreError> {
    let known = known(files)?;
    if found < known { Err(StoreError::TooOld { found, known }) } else { Ok(()) }
}

fn newest(migrations: &[Migration]) -> i32 {
    migrations.iter().map(Migration::version).max().unwrap_or_default()
}
