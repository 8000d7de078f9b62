//! How the version of each source stands to the versions of the others.

use std::cmp::Ordering;

use appstitch_types::SourceVersion;

use crate::{comparison::Comparison, relation::Relation};

/// How the version of one source stands to the versions of the other sources of the same app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// No other source states a version.
    Alone,
    /// No other source states a newer one.
    Newest,
    /// Another source states a newer one.
    Behind,
    /// It differs from another source's, and which is newer is unknown.
    Unordered,
    /// It is not compared.
    LeftOut,
}

impl Standing {
    pub(crate) fn of_each(versions: &[&str]) -> Vec<Self> {
        let comparison = Comparison::of(versions);
        let positions = 0..versions.len();
        let others = |position: usize| positions.clone().filter(move |other| *other != position);
        let relations = |position: usize| {
            others(position).map(|other| comparison.relation(position, other)).collect()
        };
        positions.clone().map(|position| Self::among(relations(position))).collect()
    }

    /// By how a version stands to each of the others.
    fn among(relations: Vec<Relation>) -> Self {
        let mut standing = Self::Alone;
        for relation in relations {
            match relation {
                Relation::Different(Some(Ordering::Less)) => return Self::Behind,
                Relation::Different(None) | Relation::CountedDifferently => {
                    standing = Self::Unordered;
                }
                Relation::Same | Relation::Different(_) if standing == Self::Alone => {
                    standing = Self::Newest;
                }
                Relation::Same | Relation::Different(_) => {}
            }
        }
        standing
    }

    pub fn of_all(versions: &[SourceVersion]) -> Vec<Self> {
        let versions: Vec<&str> = versions.iter().map(|stated| stated.version.as_str()).collect();
        Self::of_each(&versions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(versions: &[&str]) -> Vec<Standing> {
        let stated = |version: &&str| SourceVersion {
            source: "label_tool".to_owned(),
            version: (*version).to_owned(),
            parsed_ok: true,
        };
        Standing::of_all(&versions.iter().map(stated).collect::<Vec<_>>())
    }

    #[test]
    fn versions_are_compared_with_all_others() {
        use Standing::{Alone, Behind, Newest, Unordered};
        assert_eq!(standings(&[]), []);
        assert_eq!(standings(&["1.0"]), [Alone]);
        assert_eq!(standings(&["1.0", "v1.0.0"]), [Newest, Newest]);
        assert_eq!(standings(&["1.0", "2.0", "1.5"]), [Behind, Newest, Behind]);
        assert_eq!(standings(&["1.0", "2026-03-05"]), [Unordered, Unordered]);
        assert_eq!(standings(&["53.1", "5.2"]), [Unordered, Unordered], "counted differently");
        assert_eq!(standings(&["1.0", "2.0", "gamma"]), [Behind, Unordered, Unordered]);
    }
}
