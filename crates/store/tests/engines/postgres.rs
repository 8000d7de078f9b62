//! What only databases can be: on a server that is stopped, frozen or cut off, shared by many
//! processes, and encrypted.

mod encrypted;
mod faults;
mod lost_answers;
mod opening;
mod proxy;
mod watching;

use appstitch_cluster::Cluster;
use appstitch_store::{Store, StoreAddress};

/// A server of this test alone, with an empty database. `None` without PostgreSQL.
fn own_server() -> Option<(Cluster, StoreAddress)> {
    let Some(cluster) = Cluster::start() else {
        eprintln!("skipped: PostgreSQL is not installed; run `cargo xtask test`");
        return None;
    };
    let address = cluster.database("catalog").parse().unwrap();
    Some((cluster, address))
}

async fn open(address: &StoreAddress) -> Store {
    Store::open(address).await.unwrap()
}
