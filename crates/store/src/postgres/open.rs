//! Prepares a database: checks what is in it, and migrates its schema.

use std::time::Duration;

use refinery::embed_migrations;
use tokio_postgres::{Client, Transaction};

use super::failure::{of_migration, within};
use crate::{StoreError, schema};

embed_migrations!("migrations/postgres");

/// The table with the applied migrations. Its name tells our tables from those of other programs.
const HISTORY: &str = "appstitch_schema_history";

/// How long to wait for another process that migrates the same database.
const PATIENCE: Duration = Duration::from_secs(130);

/// The first number of our advisory locks. The second one is the schema's.
pub(super) const LOCKS: i32 = 0x6170_7000;

/// The number of the lock for migrations, after those of the duties.
const MIGRATIONS: i32 = LOCKS + 255;

/// The number of the schema that statements use, for advisory locks: they are of the whole database.
pub(super) const SCHEMA_NUMBER: &str =
    "(SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema())";

/// Checks the database and migrates it. A database without tables becomes a store.
pub(super) async fn migrate(client: &mut Client) -> Result<(), StoreError> {
    check_database(client).await?;
    // Usually there is nothing to do, and a role that may not create tables is enough.
    let schema = Schema::of(client).await?;
    if schema.check()?.is_newest()? {
        return Ok(());
    }
    // The lock ends with the connection, which the caller closes after an error.
    let locks = format!("({MIGRATIONS}, {SCHEMA_NUMBER})");
    let lock = format!("SET lock_timeout = '120s'; SELECT pg_advisory_lock{locks}");
    within(PATIENCE, client.batch_execute(&lock)).await?;
    Schema::of(client).await?.check()?;
    let mut runner = schema::all(&migrations::runner())?.set_grouped(true);
    runner.set_migration_table_name(HISTORY);
    let migrated = runner.run_async(client);
    let migrated = tokio::time::timeout(PATIENCE, migrated).await;
    migrated
        .map_err(|_| StoreError::Unavailable("the migration took too long".to_owned()))?
        .map_err(of_migration)?;
    let unlock = format!("SELECT pg_advisory_unlock{locks}; SET lock_timeout = '10s'");
    within(PATIENCE, client.batch_execute(&unlock)).await
}

/// Checks an existing store. Nothing is created or migrated.
pub(super) async fn check(client: &Client) -> Result<(), StoreError> {
    check_database(client).await?;
    match Schema::of(client).await? {
        Schema::Empty => Err(StoreError::NoStore),
        schema => schema.check().map(drop),
    }
}

/// Keeps migrations away until the transaction ends, and rejects a store that a newer version has
/// migrated. Otherwise, a change could be written in a form that the new schema does not have.
pub(super) async fn hold_schema(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let hold = format!("SELECT pg_advisory_xact_lock_shared({MIGRATIONS}, {SCHEMA_NUMBER})");
    transaction.batch_execute(&hold).await?;
    // Only a statement after the lock is sure to see the last migration.
    let newest = format!("SELECT max(version)::int4 FROM {HISTORY}");
    let found: Option<i32> = transaction.query_one(&newest, &[]).await?.try_get(0)?;
    schema::refuse_newer(found.unwrap_or_default(), &migrations::runner())
}

/// Rejects a store that would have to be migrated.
pub(super) async fn refuse_older(client: &Client) -> Result<(), StoreError> {
    match Schema::of(client).await? {
        Schema::Ours(found) => {
            schema::refuse_older(found.unwrap_or_default(), &migrations::runner())
        }
        Schema::Empty | Schema::Foreign(_) => Ok(()),
    }
}

/// Rejects a database that cannot hold every text, and a user without a schema.
async fn check_database(client: &Client) -> Result<(), StoreError> {
    let query = "SELECT current_setting('server_encoding'), current_schema()::text";
    let row = within(PATIENCE, client.query_one(query, &[])).await?;
    let encoding: String = row.try_get(0)?;
    if encoding != "UTF8" {
        return Err(StoreError::Encoding(encoding));
    }
    let schema: Option<String> = row.try_get(1)?;
    schema.map(drop).ok_or(StoreError::NoSchema)
}

/// The kind of tables in a schema.
enum Schema {
    /// No tables.
    Empty,
    /// Tables of another program, in the schema of this name.
    Foreign(String),
    /// Our tables, with the version of the last migration; `None` if the first one was interrupted.
    Ours(Option<i32>),
}

impl Schema {
    async fn of(client: &Client) -> Result<Self, StoreError> {
        // Tables that belong to an extension are nobody's data.
        let query = "SELECT count(*), count(*) FILTER (WHERE relname = $1), current_schema()::text
             FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
                 AND NOT EXISTS (SELECT FROM pg_depend WHERE deptype = 'e'
                     AND classid = 'pg_class'::regclass AND objid = pg_class.oid)";
        let row = within(PATIENCE, client.query_one(query, &[&HISTORY])).await?;
        let (tables, histories): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        if histories == 0 {
            return Ok(if tables == 0 { Self::Empty } else { Self::Foreign(row.try_get(2)?) });
        }
        let newest = format!("SELECT max(version)::int4 FROM {HISTORY}");
        let row = within(PATIENCE, client.query_one(&newest, &[])).await?;
        Ok(Self::Ours(row.try_get(0)?))
    }

    /// Rejects tables that are not those of this version or an older one.
    fn check(&self) -> Result<&Self, StoreError> {
        match self {
            Self::Foreign(schema) => return Err(StoreError::ForeignSchema(schema.clone())),
            Self::Ours(Some(found)) => schema::refuse_newer(*found, &migrations::runner())?,
            Self::Empty | Self::Ours(None) => {}
        }
        Ok(self)
    }

    /// Whether there is nothing to migrate.
    fn is_newest(&self) -> Result<bool, StoreError> {
        let known = schema::known(&migrations::runner())?;
        Ok(matches!(self, Self::Ours(Some(found)) if *found == known))
    }
}
