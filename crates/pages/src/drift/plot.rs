//! How often each source leads and lags, as bars on both sides of a line.

use appstitch_snapshot::DriftTable;

use super::request::DriftRequest;
use crate::{display::Count, source_names::source_title};

/// The length of the longest bar.
const FULL: usize = 100;

/// How often a source leads and lags.
pub(super) struct Contest {
    pub(super) title: String,
    pub(super) behind: Count,
    pub(super) newest: Count,
    pub(super) behind_bar: usize,
    pub(super) newest_bar: usize,
    /// Where the bar that ends at the line begins.
    pub(super) behind_start: usize,
    pub(super) behind_path: String,
    pub(super) newest_path: String,
}

/// A line for each source that is compared.
pub(super) fn contests(table: &DriftTable, request: &DriftRequest) -> Vec<Contest> {
    let counts: Vec<(&'static str, usize, usize)> = request
        .sources()
        .into_iter()
        .map(|source| {
            let sum = |is_own: &dyn Fn(&appstitch_snapshot::Lagging) -> bool| -> usize {
                table.pairs().iter().filter(|pair| is_own(pair)).map(|pair| pair.apps).sum()
            };
            (source, sum(&|pair| pair.laggard == source), sum(&|pair| pair.leader == source))
        })
        .collect();
    let most = counts.iter().map(|(_, behind, newest)| *behind.max(newest)).max();
    let most = most.unwrap_or_default().max(1);
    let bar = |apps: usize| (apps * FULL / most).max(usize::from(apps > 0));
    let contest = |(source, behind, newest): (&'static str, usize, usize)| Contest {
        title: source_title(source).to_owned(),
        behind: Count(behind as u64),
        newest: Count(newest as u64),
        behind_bar: bar(behind),
        newest_bar: bar(newest),
        behind_start: FULL - bar(behind),
        behind_path: request.filtered(Some(source), None).to_string(),
        newest_path: request.filtered(None, Some(source)).to_string(),
    };
    counts.into_iter().map(contest).collect()
}
