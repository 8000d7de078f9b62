//! The migrations of a store's schema.
//!
//! Both engines run everything that is missing in one transaction, together with the rows of the
//! history, behind a lock for which a second process waits. So a crash leaves the old schema or the
//! newest one.

use crate::{error::StoreError, next_version::NextVersion};

/// One step from a schema to the next. The statements of a file end with a semicolon at the end of a
/// line, and no other line does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) version: i32,
    pub(crate) name: &'static str,
    sql: &'static str,
}

pub(crate) const SQLITE: &[Migration] = &[
    migration(1, "catalog", include_str!("../migrations/sqlite/V1__catalog.sql")),
    migration(2, "fetched", include_str!("../migrations/sqlite/V2__fetched.sql")),
    migration(3, "served", include_str!("../migrations/sqlite/V3__served.sql")),
    migration(4, "origin", include_str!("../migrations/sqlite/V4__origin.sql")),
    migration(5, "source_state", include_str!("../migrations/sqlite/V5__source_state.sql")),
    migration(6, "label_runs", include_str!("../migrations/sqlite/V6__label_runs.sql")),
    migration(7, "changes", include_str!("../migrations/sqlite/V7__changes.sql")),
    migration(8, "hooks", include_str!("../migrations/sqlite/V8__hooks.sql")),
    migration(9, "shared_state", include_str!("../migrations/sqlite/V9__shared_state.sql")),
    migration(10, "source_refresh", include_str!("../migrations/sqlite/V10__source_refresh.sql")),
    migration(11, "patch_title", include_str!("../migrations/sqlite/V11__patch_title.sql")),
];

pub(crate) const POSTGRES: &[Migration] = &[
    migration(1, "store", include_str!("../migrations/postgres/V1__store.sql")),
    migration(2, "shared_state", include_str!("../migrations/postgres/V2__shared_state.sql")),
    migration(3, "source_refresh", include_str!("../migrations/postgres/V3__source_refresh.sql")),
    migration(4, "patch_title", include_str!("../migrations/postgres/V4__patch_title.sql")),
];

/// The migration that a test pretends to be that of the next version.
const NEXT: &str = "ALTER TABLE record ADD COLUMN next_version TEXT;
CREATE TABLE next_version (number INTEGER);
";

const fn migration(version: i32, name: &'static str, sql: &'static str) -> Migration {
    Migration { version, name, sql }
}

impl Migration {
    pub(crate) fn statements(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.sql.split_inclusive(";\n").filter(|statement| !statement.trim().is_empty())
    }
}

/// The migrations of this program that a store of a schema lacks.
pub(crate) fn after(found: i32, files: &'static [Migration]) -> Vec<Migration> {
    let mut migrations = files.to_vec();
    if NextVersion::Schema.is_pretended() {
        migrations.push(migration(newest(files) + 1, "next", NEXT));
    }
    migrations.retain(|migration| migration.version > found);
    migrations
}

pub(crate) fn known(files: &[Migration]) -> i32 {
    newest(files) + i32::from(NextVersion::Schema.is_pretended())
}

pub(crate) fn reject_newer(found: i32, files: &[Migration]) -> Result<(), StoreError> {
    let known = known(files);
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

pub(crate) fn reject_older(found: i32, files: &[Migration]) -> Result<(), StoreError> {
    let known = known(files);
    if found < known { Err(StoreError::TooOld { found, known }) } else { Ok(()) }
}

fn newest(migrations: &[Migration]) -> i32 {
    migrations.last().map_or(0, |migration| migration.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_count_up_and_every_statement_is_whole() {
        for files in [SQLITE, POSTGRES] {
            for (migration, version) in files.iter().zip(1..) {
                assert_eq!(migration.version, version);
                for statement in migration.statements() {
                    let is_comment = |line: &&str| line.trim_start().starts_with("--");
                    let code: Vec<&str> =
                        statement.lines().filter(|line| !is_comment(line)).collect();
                    let code = code.join("\n");
                    assert!(code.trim_end().ends_with(';'), "{statement}");
                    assert_eq!(code.matches('(').count(), code.matches(')').count(), "{statement}");
                }
            }
        }
    }
}
