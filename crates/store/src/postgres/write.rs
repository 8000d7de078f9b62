//! Writes the rows of a change, inside the transaction of a commit.

use tokio_postgres::{Transaction, types::ToSql};

use super::{
    batch::{batches, last_of_each, texts, values},
    journal,
    text::written,
};
use crate::{
    change::{Change, NewRevision, ServedChange},
    columns::{Columns, signed},
    contents::{DocumentName, FetchedFrom},
    error::StoreError,
    fail_point::FailPoint,
};

/// Writes everything except the edition.
pub(super) async fn rows(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    documents(transaction, change).await?;
    records(transaction, change).await?;
    apps(transaction, change).await?;
    FailPoint::Write.reach()?;
    fetched(transaction, change).await?;
    source_states(transaction, change).await?;
    if let Some(new) = &change.revision {
        let number = revision(transaction, new).await?;
        if let Some(change) = &change.journal {
            journal::write(transaction, change, number).await?;
        }
    }
    if let Some(change) = &change.served {
        served(transaction, change).await?;
    }
    Ok(())
}

async fn documents(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let removed: Vec<&DocumentName> = change.removed_documents.iter().collect();
    for batch in batches(&removed, |name| name.key.len() + name.origin.len()) {
        let source = texts(batch, |name| &name.source);
        let key = texts(batch, |name| &name.key);
        let origin = texts(batch, |name| &name.origin);
        let remove = "DELETE FROM document USING unnest($1::text[], $2::text[], $3::text[])
                AS gone (source, key, origin)
            WHERE document.source = gone.source AND document.key = gone.key
                AND document.origin = gone.origin";
        transaction.execute(remove, &[&source, &key, &origin]).await?;
    }
    if change.put_documents.is_empty() {
        return Ok(());
    }
    let put = transaction
        .prepare(
            "INSERT INTO document (source, key, origin, body)
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[])
             ON CONFLICT (source, key, origin) DO UPDATE SET body = excluded.body",
        )
        .await?;
    let documents = last_of_each(&change.put_documents, |document| {
        (&document.source, &document.key, &document.origin)
    });
    for batch in batches(&documents, |document| document.key.len() + document.body.len()) {
        let source = texts(batch, |document| &document.source);
        let key = texts(batch, |document| &document.key);
        let origin = texts(batch, |document| &document.origin);
        let body = values(batch, |document| &document.body[..]);
        transaction.execute(&put, &[&source, &key, &origin, &body]).await?;
    }
    Ok(())
}

async fn remove_slugs(
    transaction: &Transaction<'_>,
    statement: &str,
    slugs: &[String],
) -> Result<(), StoreError> {
    let slugs: Vec<&String> = slugs.iter().collect();
    for batch in batches(&slugs, |slug| slug.len()) {
        transaction.execute(statement, &[&texts(batch, |slug| slug)]).await?;
    }
    Ok(())
}

async fn records(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let remove = "DELETE FROM record WHERE slug = ANY ($1::text[])";
    remove_slugs(transaction, remove, &change.removed_records).await?;
    let records = last_of_each(&change.put_records, |record| &record.slug);
    for batch in batches(&records, |record| record.body.len()) {
        let slug = texts(batch, |record| &record.slug);
        let body = texts(batch, |record| &record.body);
        let is_sample = values(batch, |record| record.is_sample);
        let put = "INSERT INTO record (slug, body, is_sample)
            SELECT * FROM unnest($1::text[], $2::text[], $3::bool[])
            ON CONFLICT (slug) DO UPDATE SET body = excluded.body, is_sample = excluded.is_sample";
        transaction.execute(put, &[&slug, &body, &is_sample]).await?;
    }
    Ok(())
}

/// Numbers the added apps in their order. Only apps that are new get a number.
async fn apps(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    let remove = "DELETE FROM app WHERE slug = ANY ($1::text[])";
    remove_slugs(transaction, remove, &change.removed_apps).await?;
    let added: Vec<&String> = change.added_apps.iter().collect();
    for batch in batches(&added, |slug| slug.len()) {
        let slugs = texts(batch, |slug| slug);
        let add = "WITH given AS (
                SELECT slug, min(place) AS place
                FROM unnest($1::text[]) WITH ORDINALITY AS given (slug, place)
                WHERE NOT EXISTS (SELECT FROM app WHERE app.slug = given.slug)
                GROUP BY slug),
            added AS (
                INSERT INTO app (number, slug)
                SELECT newest_app + row_number() OVER (ORDER BY place), slug FROM given, edition
                RETURNING number)
            UPDATE edition SET newest_app = (SELECT max(number) FROM added)
            WHERE EXISTS (SELECT FROM added)";
        transaction.execute(add, &[&slugs]).await?;
    }
    Ok(())
}

async fn fetched(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    for (source, address) in &change.removed_fetched {
        let remove = "DELETE FROM fetched WHERE source = $1 AND address = $2";
        transaction.execute(remove, &[&written(source), &written(address)]).await?;
    }
    for row in &change.put_fetched {
        let FetchedFrom { source, address, etag, last_modified, reader } = row;
        let values: [&(dyn ToSql + Sync); 5] = [
            &written(source),
            &written(address),
            &etag.as_deref().map(written),
            &last_modified.as_deref().map(written),
            &written(reader),
        ];
        let put = "INSERT INTO fetched (source, address, etag, last_modified, reader)
            VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (source, address) DO UPDATE SET etag = excluded.etag,
                last_modified = excluded.last_modified, reader = excluded.reader";
        transaction.execute(put, &values).await?;
    }
    Ok(())
}

async fn source_states(transaction: &Transaction<'_>, change: &Change) -> Result<(), StoreError> {
    for state in &change.put_source_states {
        let put = "INSERT INTO source_state (source, received_at, changed_at, rejected)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (source) DO UPDATE SET received_at = excluded.received_at,
                changed_at = excluded.changed_at, rejected = excluded.rejected";
        let values: [&(dyn ToSql + Sync); 4] = [
            &written(&state.source),
            &state.received_at.to_string(),
            &state.changed_at.map(|time| time.to_string()),
            &state.rejected.map(signed),
        ];
        transaction.execute(put, &values).await?;
    }
    Ok(())
}

/// Writes a revision and returns its number. Revisions are never removed, and the edition is locked,
/// so the number is new.
async fn revision(
    transaction: &Transaction<'_>,
    revision: &NewRevision,
) -> Result<i64, StoreError> {
    let counts = &revision.counts;
    let values: [&(dyn ToSql + Sync); 8] = [
        &written(&revision.token),
        &revision.changed_at.to_string(),
        &written(&revision.content_hash),
        &signed(counts.total_apps),
        &signed(counts.label_tool),
        &signed(counts.cask_catalog),
        &signed(counts.recipe_index),
        &signed(counts.mdm_installer),
    ];
    let add = "INSERT INTO revision (number, token, changed_at, content_hash, total_apps,
            label_tool, cask_catalog, recipe_index, mdm_installer)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM revision), $1, $2, $3, $4, $5, $6, $7, $8)
        RETURNING number";
    Ok(signed(transaction.query_one(add, &values).await?.count("revision number", 0)?))
}

async fn served(transaction: &Transaction<'_>, change: &ServedChange) -> Result<(), StoreError> {
    if change.replaces_all {
        transaction.execute("DELETE FROM served", &[]).await?;
    }
    let remove = "DELETE FROM served WHERE slug = ANY ($1::text[])";
    remove_slugs(transaction, remove, &change.removed).await?;
    let put = transaction
        .prepare(
            "INSERT INTO served (slug, app, sources, provenance, drift, notes)
             SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[],
                 $6::bytea[])
             ON CONFLICT (slug) DO UPDATE SET app = excluded.app, sources = excluded.sources,
                 provenance = excluded.provenance, drift = excluded.drift, notes = excluded.notes",
        )
        .await?;
    let apps = last_of_each(&change.put, |app| &app.slug);
    for batch in batches(&apps, |app| app.app.len() + app.sources.len() + app.provenance.len()) {
        let slug = texts(batch, |app| &app.slug);
        let app = values(batch, |app| &app.app[..]);
        let sources = values(batch, |app| &app.sources[..]);
        let provenance = values(batch, |app| &app.provenance[..]);
        let drift = values(batch, |app| app.drift.as_deref());
        let notes = values(batch, |app| &app.notes[..]);
        let columns: [&(dyn ToSql + Sync); 6] =
            [&slug, &app, &sources, &provenance, &drift, &notes];
        transaction.execute(&put, &columns).await?;
    }
    let made_by = &change.made_by;
    transaction
        .execute(
            "INSERT INTO served_by (rules, content_hash) VALUES ($1, $2)
             ON CONFLICT (only_row) DO UPDATE SET rules = excluded.rules,
                 content_hash = excluded.content_hash",
            &[&written(&made_by.rules), &written(&made_by.content_hash)],
        )
        .await?;
    Ok(())
}
