//! Connections that arrive in an order, and which of them are closed.

use super::*;

struct Connection {
    occupancy: Arc<Occupancy>,
    slot: u32,
    is_reserved: bool,
    displaced: Option<usize>,
}

fn home(descriptor: usize) -> Home {
    Home { thread: 0, descriptor }
}

/// A table whose connections are named by their descriptors, and arrive one a second.
struct Arriving(Table, u64);

impl Arriving {
    fn new(permits: usize, reserved: usize, share: usize) -> Self {
        Self(Table::new(Capacity { permits, reserved, share }), 0)
    }

    fn arrive(&mut self, client: u32, name: usize) -> Option<Connection> {
        self.1 += 1_000_000;
        let occupancy = Arc::new(Occupancy::idle_since(self.1));
        let client = (client > 0).then_some(ClientAddress::V4(client));
        let found = self.0.admit(client, home(name), &occupancy, self.1)?;
        let displaced = found.displaced.map(|displaced| displaced.descriptor());
        Some(Connection { occupancy, slot: found.slot, is_reserved: found.is_reserved, displaced })
    }
}

#[test]
fn the_longest_idle_connection_makes_room() {
    let mut table = Arriving::new(3, 0, 3);
    let connections: Vec<_> =
        (1..=3).map(|name| table.arrive(name, name as usize).unwrap()).collect();
    assert!(connections.iter().all(|connection| connection.displaced.is_none()));
    assert!(connections[0].occupancy.begin());
    connections[1].occupancy.rest(3_500_000);
    assert_eq!(table.arrive(4, 4).unwrap().displaced, Some(3));
    assert_eq!(table.arrive(5, 5).unwrap().displaced, Some(2));
    assert_eq!(table.arrive(6, 6).unwrap().displaced, Some(4));
    connections[0].occupancy.rest(6_500_000);
    assert_eq!(table.arrive(7, 7).unwrap().displaced, Some(5));
    assert_eq!(table.arrive(8, 8).unwrap().displaced, Some(6));
    assert_eq!(table.arrive(9, 9).unwrap().displaced, Some(1));
}

#[test]
fn a_client_with_its_share_closes_its_own_connections() {
    let mut table = Arriving::new(10, 1, 2);
    let other = table.arrive(1, 1).unwrap();
    let first = table.arrive(2, 2).unwrap();
    let second = table.arrive(2, 3).unwrap();
    assert_eq!(table.arrive(2, 4).unwrap().displaced, Some(2));
    assert!(other.occupancy.idle().is_some() && first.occupancy.idle().is_none());
    assert!(second.occupancy.begin());
    let third = table.arrive(2, 5).unwrap();
    assert_eq!(third.displaced, Some(4));
    assert!(third.occupancy.begin());
    assert!(table.arrive(2, 6).unwrap().is_reserved, "all of its connections are busy");
    assert!(!table.arrive(3, 7).unwrap().is_reserved, "others have their share");
    for name in 8..12 {
        let connection = table.arrive(0, name).unwrap();
        assert_eq!(connection.displaced, None, "proxies have no share");
    }
}

#[test]
fn reserved_places_are_for_when_nothing_is_idle() {
    let mut table = Arriving::new(1, 2, 9);
    let busy = table.arrive(1, 1).unwrap();
    assert!(busy.occupancy.begin());
    let first = table.arrive(2, 2).unwrap();
    assert!(first.is_reserved && first.displaced.is_none());
    let second = table.arrive(3, 3).unwrap();
    assert!(second.is_reserved);
    assert_eq!(second.displaced, Some(2), "it sent nothing");
    assert!(second.occupancy.begin());
    let third = table.arrive(4, 4).unwrap();
    assert!(third.is_reserved && third.occupancy.begin());
    assert!(table.arrive(5, 5).is_none());
    second.occupancy.rest(table.1);
    assert_eq!(table.arrive(6, 6).unwrap().displaced, Some(3), "it has been answered");
    table.0.release(busy.slot, &busy.occupancy);
    assert!(!table.arrive(7, 7).unwrap().is_reserved);
}

#[test]
fn a_client_whose_share_is_busy_gets_few_of_the_reserved_places() {
    let mut table = Arriving::new(10, 64, 2);
    let mut busy: Vec<_> = (0..6).filter_map(|name| table.arrive(1, name)).collect();
    assert_eq!(busy.len(), 6, "idle connections make room for each other");
    busy = (10..100)
        .filter_map(|name| {
            let connection = table.arrive(1, name)?;
            assert!(connection.occupancy.begin());
            Some(connection)
        })
        .collect();
    assert_eq!(busy.iter().filter(|connection| connection.is_reserved).count(), 4);
    // Others find a permit, also if they have their share.
    let others: Vec<_> = (100..103).map(|name| table.arrive(2, name).unwrap()).collect();
    assert!(others.iter().all(|connection| !connection.is_reserved));
    // A reserved permit that is idle again is the client's next one.
    let last = busy.pop().unwrap();
    last.occupancy.rest(table.1);
    let next = table.arrive(1, 200).unwrap();
    assert!(next.is_reserved && next.displaced.is_some());
}

#[test]
fn a_place_is_released_once() {
    let mut table = Arriving::new(1, 0, 1);
    let first = table.arrive(1, 1).unwrap();
    let second = table.arrive(2, 2).unwrap();
    assert_eq!((second.displaced, second.slot), (Some(1), first.slot));
    table.0.release(first.slot, &first.occupancy);
    assert_eq!(table.0.taken, 1, "the permit is the second one's by now");
    table.0.release(second.slot, &second.occupancy);
    assert_eq!((table.0.taken, table.0.clients.len()), (0, 0));
}

#[test]
fn connections_are_many_by_client_and_in_all() {
    let mut table = Arriving::new(10_000, 0, 10_000);
    let mut is_one_of_many = |client: u32| {
        let occupancy = Arc::new(Occupancy::idle_since(1));
        table
            .0
            .admit(Some(ClientAddress::V4(client)), home(0), &occupancy, 1)
            .unwrap()
            .is_one_of_many
    };
    assert!((0..MANY_OF_CLIENT).all(|_| !is_one_of_many(1)));
    assert!(is_one_of_many(1));
    assert!(!is_one_of_many(2), "another client has few");
    let others = u32::try_from(MANY_OF_ALL - MANY_OF_CLIENT - 2).unwrap();
    assert!((0..others).all(|number| !is_one_of_many(10 + number)));
    assert!(is_one_of_many(9999));
}
