//! The arguments of a server that refreshes by itself.

use std::{path::PathBuf, time::Duration};

use appstitch_refresh::SHORTEST_INTERVAL;
use clap::Args;

use super::{network::AccessArguments, shared::parse_duration};

/// Refreshing at regular intervals.
#[derive(Debug, Args)]
pub(crate) struct ScheduleArguments {
    /// Refresh at this interval, such as 6h; at least 1m. Up to a tenth is added at random. Titles and
    /// listings are refreshed daily. Without it, the server refreshes by itself only if the file of
    /// --config has intervals
    #[arg(
        long,
        env = "APPSTITCH_REFRESH_EVERY",
        default_value = "",
        hide_default_value = true,
        value_name = "DURATION",
        value_parser = interval
    )]
    pub(crate) refresh_every: Interval,
    /// File with the addresses and intervals of the sources, the server of the titles and more; see
    /// `config check`
    #[arg(long, env = "APPSTITCH_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// With --refresh-every: time for a whole refresh, such as 30m [default: 1h]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) refresh_time_limit: Option<Duration>,
    /// With --refresh-every: after each refresh, find the values that labels compute and publish
    /// them, too
    #[arg(
        long,
        env = "APPSTITCH_RESOLVE_LABELS",
        value_parser = clap::builder::BoolishValueParser::new()
    )]
    pub(crate) resolve_labels: bool,
    /// File with a GitHub token, which raises the request limit of --resolve-labels; sent only to
    /// api.github.com
    #[arg(long, value_name = "FILE")]
    pub(crate) github_token_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) access: AccessArguments,
}

/// The time from one refresh to the next; `None` if there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval(pub(crate) Option<Duration>);

/// An empty variable counts as unset.
fn interval(text: &str) -> Result<Interval, String> {
    if text.trim().is_empty() {
        return Ok(Interval(None));
    }
    match parse_duration(text.trim())? {
        duration if duration < SHORTEST_INTERVAL => Err("must be at least 1m".to_owned()),
        duration => Ok(Interval(Some(duration))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_a_unit_and_a_minimum() {
        assert_eq!(interval("6h"), Ok(Interval(Some(Duration::from_hours(6)))));
        assert_eq!(interval(" "), Ok(Interval(None)));
        assert_eq!(interval("60s"), Ok(Interval(Some(SHORTEST_INTERVAL))));
        for text in ["59s", "0h", "6", "h"] {
            assert!(interval(text).is_err(), "{text}");
        }
    }
}
