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

/// A server of this test alone, with an empty database.
fn own_server() -> (Cluster, StoreAddress) {
    let cluster = Cluster::start();
    let address = cluster.database("catalog").parse().unwrap();
    (cluster, address)
}

async fn open(address: &StoreAddress) -> Store {
    Store::open(address).await.unwrap()
}
