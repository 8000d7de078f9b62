//! Prepares a database: checks what is in it, and migrates its schema.

use std::time::Duration;

use jiff::Timestamp;
use tokio_postgres::{Client, GenericClient, Transaction};

use super::failure::within;
use crate::{
    error::StoreError,
    fail_point::FailPoint,
    schema::{self, POSTGRES},
};

/// The table with the applied migrations. Its name distinguishes our tables from those of other programs.
const HISTORY: &str = "appstitch_schema_history";

/// How long to wait for another process that migrates the same database.
const TIMEOUT: Duration = Duration::from_secs(130);

/// The first number of our advisory locks. The second one is the schema's.
pub(super) const LOCKS: i32 = 0x6170_7000;

/// The number of the lock for migrations, after those of the duties.
const MIGRATIONS: i32 = LOCKS + 255;

/// The number of the schema that statements use, for advisory locks: they are of the whole database.
pub(super) const SCHEMA_NUMBER: &str =
    "(SELECT oid::int4 FROM pg_namespace WHERE nspname = current_schema())";

/// Checks the database and migrates it. A database without tables becomes a store.
pub(super) async fn migrate(client: &mut Client) -> Result<(), StoreError> {
    // Usually there is nothing to do, and a role that may not create tables is enough.
    if is_newest(client).await? {
        return Ok(());
    }
    let transaction = within(TIMEOUT, client.transaction()).await?;
    within(TIMEOUT, apply(&transaction)).await?;
    within(TIMEOUT, transaction.commit()).await
}

/// Checks the database. Returns whether there is nothing to migrate.
pub(super) async fn is_newest(client: &Client) -> Result<bool, StoreError> {
    check_database(client).await?;
    Ok(Schema::of(client).await?.check()?.is_newest())
}

/// Applies what is missing. The lock ends with the transaction.
pub(super) async fn apply(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let lock = format!(
        "SET LOCAL lock_timeout = '120s';
         SELECT pg_advisory_xact_lock({MIGRATIONS}, {SCHEMA_NUMBER})"
    );
    transaction.batch_execute(&lock).await?;
    // Another process may have migrated the store while this one waited for the lock.
    let schema = Schema::of(transaction).await?;
    schema.check()?;
    let create = format!(
        "CREATE TABLE IF NOT EXISTS {HISTORY} (
             version INT4 PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255),
             checksum VARCHAR(255))"
    );
    transaction.batch_execute(&create).await?;
    for migration in schema::after(schema.version(), POSTGRES) {
        for statement in migration.statements() {
            FailPoint::Migrate.reach()?;
            transaction.batch_execute(statement).await?;
        }
        let note = format!("INSERT INTO {HISTORY} (version, name, applied_on) VALUES ($1, $2, $3)");
        let now = Timestamp::now().to_string();
        transaction.execute(&note, &[&migration.version, &migration.name, &now]).await?;
    }
    FailPoint::Migrate.reach()
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
    schema::reject_newer(found.unwrap_or_default(), POSTGRES)
}

pub(super) async fn reject_older(client: &Client) -> Result<(), StoreError> {
    match Schema::of(client).await? {
        Schema::Ours(found) => schema::reject_older(found.unwrap_or_default(), POSTGRES),
        Schema::Empty | Schema::Foreign(_) => Ok(()),
    }
}

/// Rejects a database that cannot hold every text, and a user without a schema.
async fn check_database(client: &Client) -> Result<(), StoreError> {
    let query = "SELECT current_setting('server_encoding'), current_schema()::text";
    let row = within(TIMEOUT, client.query_one(query, &[])).await?;
    let encoding: String = row.try_get(0)?;
    if encoding != "UTF8" {
        return Err(StoreError::Encoding(encoding));
    }
    let schema: Option<String> = row.try_get(1)?;
    schema.map(drop).ok_or(StoreError::NoSchema)
}

/// The kind of tables in a schema.
enum Schema {
    Empty,
    /// Tables of another program, in the schema of this name.
    Foreign(String),
    /// Our tables, with the version of the last migration; `None` if the first one was interrupted.
    Ours(Option<i32>),
}

impl Schema {
    async fn of(client: &impl GenericClient) -> Result<Self, StoreError> {
        // Tables that belong to an extension do not count.
        let query = "SELECT count(*), count(*) FILTER (WHERE relname = $1), current_schema()::text
             FROM pg_class
             WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
                 AND NOT EXISTS (SELECT FROM pg_depend WHERE deptype = 'e'
                     AND classid = 'pg_class'::regclass AND objid = pg_class.oid)";
        let row = within(TIMEOUT, client.query_one(query, &[&HISTORY])).await?;
        let (tables, histories): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        if histories == 0 {
            return Ok(if tables == 0 { Self::Empty } else { Self::Foreign(row.try_get(2)?) });
        }
        let newest = format!("SELECT max(version)::int4 FROM {HISTORY}");
        let row = within(TIMEOUT, client.query_one(&newest, &[])).await?;
        Ok(Self::Ours(row.try_get(0)?))
    }

    /// Rejects tables that are not those of this version or an older one.
    fn check(&self) -> Result<&Self, StoreError> {
        match self {
            Self::Foreign(schema) => return Err(StoreError::ForeignSchema(schema.clone())),
            Self::Ours(Some(found)) => schema::reject_newer(*found, POSTGRES)?,
            Self::Empty | Self::Ours(None) => {}
        }
        Ok(self)
    }

    /// The version of the last migration; 0 if there was none.
    fn version(&self) -> i32 {
        match self {
            Self::Ours(Some(found)) => *found,
            Self::Empty | Self::Foreign(_) | Self::Ours(None) => 0,
        }
    }

    /// Whether there is nothing to migrate.
    fn is_newest(&self) -> bool {
        self.version() == schema::known(POSTGRES)
    }
}
