//! Errors of the client library as errors of a store.

use std::{error::Error, io, time::Duration};

use tokio_postgres::error::{DbError, SqlState};

use crate::error::StoreError;

/// Runs work within a time. A server that does not answer counts as unavailable.
pub(super) async fn within<T, E: Into<StoreError>>(
    time: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, StoreError> {
    match tokio::time::timeout(time, work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(StoreError::Unavailable(format!("no answer within {} s", time.as_secs()))),
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        let is_temporary = match error.as_db_error() {
            Some(failure) => is_temporary(failure.code()),
            None => error.is_closed() || is_broken(&error),
        };
        if is_temporary { Self::Unavailable(text(&error)) } else { Self::Postgres(text(&error)) }
    }
}

/// Whether the server may do the same later.
fn is_temporary(code: &SqlState) -> bool {
    // Connections, resources, an operator's intervention, and errors of the system.
    let is_of_class = ["08", "53", "57", "58"].iter().any(|class| code.code().starts_with(class));
    is_of_class
        || [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
            // A server that is to become the primary one.
            SqlState::READ_ONLY_SQL_TRANSACTION,
        ]
        .contains(code)
}

/// Whether the connection could not be made, or broke. An invalid certificate is invalid later, too.
fn is_broken(error: &tokio_postgres::Error) -> bool {
    let mut cause = error.source();
    while let Some(current) = cause {
        if let Some(failure) = current.downcast_ref::<io::Error>() {
            return failure.kind() != io::ErrorKind::InvalidData;
        }
        cause = current.source();
    }
    false
}

/// What went wrong. Details of the server are left out: they can contain rows, and with them secrets.
pub(super) fn text(error: &tokio_postgres::Error) -> String {
    if let Some(failure) = error.as_db_error() {
        return described(failure);
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(current) = cause {
        text = format!("{text}: {current}");
        cause = current.source();
    }
    text
}

fn described(failure: &DbError) -> String {
    format!("{} (SQLSTATE {})", failure.message(), failure.code().code())
}
