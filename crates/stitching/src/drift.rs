//! Cross-source version drift: which sources disagree on an app's newest version.

use std::cmp::Ordering;

use appstitch_types::{App, DriftEntry, SourceVersion};

use crate::{comparison::Comparison, relation::Relation};

/// The app's drift, if at least two of its sources state different versions.
pub fn find_drift<'a>(
    app: &App,
    versions: impl IntoIterator<Item = &'a SourceVersion>,
) -> Option<DriftEntry> {
    let versions: Vec<&SourceVersion> = versions.into_iter().collect();
    let order = Order::of(&versions)?;
    let (leader, laggard) = match order {
        Order::Known { leader, laggard } => (Some(leader), Some(laggard)),
        Order::Unknown => (None, None),
    };
    let source = |position: usize| versions[position].source.clone();
    Some(DriftEntry {
        slug: app.slug.to_string(),
        name: app.name.clone(),
        vendor: app.vendor.clone(),
        leader: leader.map(source),
        laggard: laggard.map(source),
        versions: versions.into_iter().cloned().collect(),
    })
}

enum Order {
    /// The positions of the highest and the lowest version. Of equal ones the first counts.
    Known {
        leader: usize,
        laggard: usize,
    },
    Unknown,
}

impl Order {
    /// `None` if all versions are the same.
    fn of(versions: &[&SourceVersion]) -> Option<Self> {
        let texts: Vec<&str> = versions.iter().map(|stated| stated.version.as_str()).collect();
        let comparison = Comparison::of(&texts);
        let order = |left: usize, right: usize| match comparison.relation(left, right) {
            Relation::Different(order) => Some(order),
            Relation::Same | Relation::CountedDifferently => None,
        };
        let pairs = (1..versions.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let orders: Vec<Option<Ordering>> =
            pairs.filter_map(|(left, right)| order(left, right)).collect();
        if orders.is_empty() {
            return None;
        }
        // Of equal ones, one that is complete leads.
        let leads = |position: usize, leader: usize| match order(leader, position) {
            Some(order) => order == Some(Ordering::Less),
            None => {
                comparison.relation(leader, position) == Relation::Same
                    && comparison.is_complete(position)
                    && !comparison.is_complete(leader)
            }
        };
        let (mut leader, mut laggard) = (0, 0);
        for position in 1..versions.len() {
            if leads(position, leader) {
                leader = position;
            }
            if order(laggard, position) == Some(Some(Ordering::Greater)) {
                laggard = position;
            }
        }
        let are_parsed = versions.iter().all(|stated| stated.parsed_ok);
        let are_ordered = are_parsed && orders.iter().all(Option::is_some);
        Some(if are_ordered { Self::Known { leader, laggard } } else { Self::Unknown })
    }
}

#[cfg(test)]
mod tests;
