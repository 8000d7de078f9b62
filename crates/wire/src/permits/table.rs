//! Which permits are taken, and by whom.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use super::{
    Displaced, Home,
    idle_queue::{Idle, IdleQueue},
    occupancy::Occupancy,
};
use crate::client_address::ClientAddress;

#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    /// For everybody.
    pub(super) permits: usize,
    /// Further ones, for `/health` and `/admin`.
    pub(super) reserved: usize,
    /// How many one client may have.
    pub(super) share: usize,
}

/// A client whose connections are all busy gets at most one in this many reserved permits.
/// Otherwise it could take all of them, and no other client would reach `/health`.
const RESERVED_PARTS: usize = 16;

/// From how many connections on, of one client or of all, a connection is one of many.
const MANY_OF_CLIENT: usize = 64;
const MANY_OF_ALL: usize = 1024;

#[derive(Debug)]
pub(super) struct Table {
    capacity: Capacity,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    clients: HashMap<ClientAddress, Client>,
    idle: IdleQueue,
    /// How many permits are taken, apart from reserved ones.
    taken: usize,
    /// The slots in reserved permits.
    reserved: Vec<u32>,
}

#[derive(Debug)]
struct Slot {
    occupancy: Arc<Occupancy>,
    home: Home,
    is_reserved: bool,
    /// The client, and which of its connections this is. None for proxies.
    client: Option<(ClientAddress, usize)>,
}

#[derive(Debug, Default)]
struct Client {
    slots: Vec<u32>,
    idle: IdleQueue,
}

/// A permit for a new connection.
pub(super) struct Admission {
    pub(super) slot: u32,
    pub(super) is_reserved: bool,
    /// Whether its client, or all clients together, had many connections before.
    pub(super) is_one_of_many: bool,
    pub(super) displaced: Option<Displaced>,
    /// Why another connection was closed: its client had its share, or all permits were taken.
    pub(super) is_share_used: bool,
}

impl Table {
    pub(super) fn new(capacity: Capacity) -> Self {
        Self {
            capacity,
            slots: Vec::new(),
            free: Vec::new(),
            clients: HashMap::new(),
            idle: IdleQueue::default(),
            taken: 0,
            reserved: Vec::new(),
        }
    }

    pub(super) fn admit(
        &mut self,
        client: Option<ClientAddress>,
        home: Home,
        occupancy: &Arc<Occupancy>,
        now: u64,
    ) -> Option<Admission> {
        let crowded = client.filter(|client| self.has_share(*client));
        let mut displaced = match crowded {
            Some(client) => self.displace_of_client(client, now),
            None if self.taken < self.capacity.permits => None,
            None => self.displace_any(now),
        };
        let is_reserved = match &displaced {
            // The new connection gets the permit of the old one.
            Some((_, is_reserved)) => *is_reserved,
            None => crowded.is_some() || self.taken >= self.capacity.permits,
        };
        if let Some(client) = crowded
            && displaced.is_none()
            && self.reserved_of(client) >= (self.capacity.reserved / RESERVED_PARTS).max(1)
        {
            return None;
        }
        if is_reserved && self.reserved.len() >= self.capacity.reserved {
            displaced = Some(self.displace_reserved()?);
        }
        let is_one_of_many =
            self.taken >= MANY_OF_ALL || client.is_some_and(|client| self.has_many(client));
        let slot = self.put(client, home, occupancy, is_reserved);
        let displaced = displaced.map(|(displaced, _)| displaced);
        let is_share_used = crowded.is_some();
        Some(Admission { slot, is_reserved, is_one_of_many, displaced, is_share_used })
    }

    /// Takes the permit of the connection that has been idle for longest.
    pub(super) fn displace(&mut self, now: u64) -> Option<Displaced> {
        self.displace_any(now).map(|(displaced, _)| displaced)
    }

    /// Frees the permit of a connection that has ended, unless another connection has it by now.
    pub(super) fn release(&mut self, slot: u32, occupancy: &Arc<Occupancy>) {
        let current = self.slots.get(slot as usize).and_then(Option::as_ref);
        if current.is_some_and(|current| Arc::ptr_eq(&current.occupancy, occupancy)) {
            self.remove(slot);
        }
    }

    fn has_share(&self, client: ClientAddress) -> bool {
        self.has_at_least(self.capacity.share, client)
    }

    fn has_many(&self, client: ClientAddress) -> bool {
        self.has_at_least(MANY_OF_CLIENT, client)
    }

    fn has_at_least(&self, count: usize, client: ClientAddress) -> bool {
        self.clients.get(&client).is_some_and(|client| client.slots.len() >= count)
    }

    fn reserved_of(&self, client: ClientAddress) -> usize {
        let is_of_client = |slot: &&u32| {
            let slot = self.slots.get(**slot as usize).and_then(Option::as_ref);
            slot.and_then(|slot| slot.client).is_some_and(|(owner, _)| owner == client)
        };
        self.reserved.iter().filter(is_of_client).count()
    }

    fn displace_of_client(
        &mut self,
        address: ClientAddress,
        now: u64,
    ) -> Option<(Displaced, bool)> {
        let slots = &self.slots;
        let Client { slots: client_slots, idle } = self.clients.get_mut(&address)?;
        let all = || client_slots.iter().filter_map(|slot| idle_slot(slots, *slot));
        let accept = |(since, slot): Idle| {
            let slot = slots.get(slot as usize).and_then(Option::as_ref);
            slot.is_some_and(|slot| {
                // A queue may be older than the permit of this connection.
                slot.client.is_some_and(|(client, _)| client == address)
                    && slot.occupancy.displace(since)
            })
        };
        let slot = idle.take(now, all, accept)?;
        self.remove(slot)
    }

    fn displace_any(&mut self, now: u64) -> Option<(Displaced, bool)> {
        let slots = &self.slots;
        let count = u32::try_from(slots.len()).unwrap_or(u32::MAX);
        let all = || (0..count).filter_map(|slot| idle_slot(slots, slot));
        let accept = |(since, slot): Idle| {
            let slot = slots.get(slot as usize).and_then(Option::as_ref);
            slot.is_some_and(|slot| slot.occupancy.displace(since))
        };
        let slot = self.idle.take(now, all, accept)?;
        self.remove(slot)
    }

    /// There are few reserved permits, so all of them are looked at.
    fn displace_reserved(&mut self) -> Option<(Displaced, bool)> {
        let idle = self.reserved.iter().filter_map(|slot| idle_slot(&self.slots, *slot));
        let mut idle: Vec<Idle> = idle.collect();
        idle.sort_unstable();
        let (_, slot) = idle.into_iter().find(|(since, slot)| {
            let slot = self.slots.get(*slot as usize).and_then(Option::as_ref);
            slot.is_some_and(|slot| slot.occupancy.displace(*since))
        })?;
        self.remove(slot)
    }

    fn put(
        &mut self,
        client: Option<ClientAddress>,
        home: Home,
        occupancy: &Arc<Occupancy>,
        is_reserved: bool,
    ) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            // There are fewer descriptors than this in any process.
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        if is_reserved {
            self.reserved.push(slot);
        } else {
            self.taken += 1;
        }
        let client = client.map(|address| {
            let client_slots = &mut self.clients.entry(address).or_default().slots;
            client_slots.push(slot);
            (address, client_slots.len() - 1)
        });
        let occupancy = Arc::clone(occupancy);
        self.slots[slot as usize] = Some(Slot { occupancy, home, is_reserved, client });
        slot
    }

    fn remove(&mut self, slot: u32) -> Option<(Displaced, bool)> {
        let removed = self.slots.get_mut(slot as usize)?.take()?;
        self.free.push(slot);
        if removed.is_reserved {
            self.reserved.retain(|other| *other != slot);
        } else {
            self.taken -= 1;
        }
        if let Some((address, position)) = removed.client
            && let Entry::Occupied(mut entry) = self.clients.entry(address)
        {
            let client_slots = &mut entry.get_mut().slots;
            client_slots.swap_remove(position);
            if client_slots.is_empty() {
                entry.remove();
            } else if let Some(moved) = client_slots.get(position)
                && let Some(Some(Slot { client: Some((_, old)), .. })) =
                    self.slots.get_mut(*moved as usize)
            {
                *old = position;
            }
        }
        let Slot { occupancy, home, is_reserved, .. } = removed;
        Some((Displaced { occupancy, home }, is_reserved))
    }
}

fn idle_slot(slots: &[Option<Slot>], slot: u32) -> Option<Idle> {
    let idle = slots.get(slot as usize)?.as_ref()?.occupancy.idle()?;
    Some((idle, slot))
}

#[cfg(test)]
mod tests;
