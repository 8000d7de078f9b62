//! Badges: small pictures with one fact about an app, for pages of other people.
//!
//! A badge is drawn as SVG in the flat style that readers know, or described as JSON for the Shields
//! service, which draws it in any other style. Both are text that is made for each request: it takes
//! microseconds. Names and parameters come from strangers, so every text is escaped and cut.

mod age;
mod color;
mod facts;
mod picture;
mod request;
mod shields;
mod svg;
mod width;

pub use request::{BadgeForm, BadgeRequest};

use jiff::Timestamp;

use picture::Picture;
use request::Subject;

use crate::site::Site;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnBadge {
    /// SVG or JSON, as requested.
    pub text: String,
    /// A badge that says what is wrong with its address is not cacheable:
    /// the next revision can know the app.
    pub is_cacheable: bool,
}

/// Draws a badge. Only the one about the age of the data depends on the time.
pub fn badge(site: &Site<'_>, request: &BadgeRequest<'_>, now: Timestamp) -> DrawnBadge {
    let snapshot = site.snapshot;
    let picture = match &request.subject {
        Subject::Catalog => Picture::Flat(facts::catalog(snapshot, request)),
        Subject::Fresh => Picture::Flat(age::fresh(site.sources(), now, request)),
        Subject::App(name, fact) => facts::of_app(snapshot, name, fact, request),
    };
    DrawnBadge { text: text(&picture, request.form), is_cacheable: !picture.is_error() }
}

fn text(picture: &Picture, form: BadgeForm) -> String {
    match (picture, form) {
        (Picture::Flat(badge), BadgeForm::Svg) => svg::flat(badge),
        (Picture::Table(table), BadgeForm::Svg) => svg::table(table),
        (Picture::Flat(badge), BadgeForm::Json) => shields::endpoint(badge),
        // The service cannot draw a table, so it gets its rows in one line.
        (Picture::Table(table), BadgeForm::Json) => shields::endpoint(&table.in_one_line()),
    }
}
