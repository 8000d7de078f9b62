//! Tests of the store's public interface, on real files and real databases. Every engine gives the
//! same results.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod backup;
mod catalog;
mod hooks;
mod journal;
mod label_runs;
mod postgres;
mod rows;
mod source_refresh;
mod sqlite;
mod test_store;

pub(crate) use test_store::TestStore;

/// Runs tests on every engine. A test gets a place where no store is yet.
macro_rules! on_each_engine {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::TestStore::sqlite()).await;
            })*
        }

        mod on_postgres {
            $(#[tokio::test]
            async fn $name() {
                super::$name(crate::TestStore::postgres()).await;
            })*
        }
    };
}

pub(crate) use on_each_engine;
