//! The commands that read from a server, as tables or as JSON.

mod alias;
mod app;
mod apps;
mod changes;
mod compare;
mod deprecated;
mod details;
mod drift;
mod export_for;
mod history;
mod label;
mod listing;
mod outdated;
mod request;
mod search;
mod sources;
mod stats;
mod vendor;

pub(crate) use alias::run as alias;
pub(crate) use app::run as app;
pub(crate) use apps::list as apps;
pub(crate) use changes::run as changes;
pub(crate) use compare::run as compare;
pub(crate) use details::run as details;
pub(crate) use drift::run as drift;
pub(crate) use export_for::run as export_for;
pub(crate) use history::run as history;
pub(crate) use label::run as label;
pub(crate) use outdated::run as outdated;
pub(crate) use search::search;
pub(crate) use sources::run as sources;
pub(crate) use stats::{health, stats};
