//! Apps side by side.

mod columns;
mod sources;

pub use sources::compare_sources;

use appstitch_feeds::encoded;
use askama::Template;

use crate::{
    address::app_page,
    frame::{Frame, Section},
    namesakes::Namesakes,
    site::{PageError, Site},
};
use columns::{Group, groups};

/// How many apps are compared at most.
const MOST: usize = 6;

#[derive(Template)]
#[template(path = "compare.html")]
struct ComparePage {
    frame: Frame,
    asked: String,
    columns: Vec<Column>,
    groups: Vec<Group>,
    unknown: Vec<Unknown>,
    left_out: Vec<Column>,
    most: usize,
    json: String,
}

struct Column {
    slug: String,
    name: String,
    path: String,
}

impl Column {
    fn of(site: &Site<'_>, position: u32) -> Result<Self, PageError> {
        let slug = site.snapshot.slug(position).to_owned();
        let name = site.snapshot.app_name(position)?;
        Ok(Self { path: app_page(&slug), slug, name })
    }
}

struct Unknown {
    text: String,
    search: String,
}

/// The page that compares the apps with these slugs or other names, separated by commas.
pub fn compare(site: &Site<'_>, slugs: &str) -> Result<String, PageError> {
    let Requested { mut positions, unknown } = Requested::read(site, slugs);
    let left_out = positions.split_off(positions.len().min(MOST));
    let left_out = left_out.into_iter().map(|position| Column::of(site, position));
    let mut compared = Vec::new();
    for position in &positions {
        compared.push(columns::Compared::read(site, *position)?);
    }
    let columns: Vec<Column> = compared
        .iter()
        .map(|one| Column {
            slug: one.app.slug.to_string(),
            name: one.app.name.clone(),
            path: app_page(one.app.slug.as_str()),
        })
        .collect();
    let listed: Vec<&str> = columns.iter().map(|column| &*column.slug).collect();
    let listed = listed.iter().map(|slug| encoded(slug).to_string()).collect::<Vec<_>>().join(",");
    let json = format!("/apps?slugs={listed}");
    let title = if columns.is_empty() { "Compare apps".to_owned() } else { titles(&columns) };
    let mut frame = site.frame(Section::Compare, title, &format!("/compare?slugs={listed}"));
    frame = frame.not_indexed();
    if !columns.is_empty() {
        frame = frame.with_json(json.clone());
    }
    let search = |text: String| Unknown { search: format!("/?q={}", encoded(&text)), text };
    let page = ComparePage {
        frame,
        asked: slugs.to_owned(),
        groups: groups(&compared),
        columns,
        unknown: unknown.into_iter().map(search).collect(),
        left_out: left_out.collect::<Result<_, PageError>>()?,
        most: MOST,
        json,
    };
    Ok(page.render()?)
}

/// The names of the apps, with their slugs where they are the same.
fn titles(columns: &[Column]) -> String {
    let namesakes = Namesakes::among(columns.iter().map(|column| (&*column.name, &*column.slug)));
    let titles: Vec<String> = columns
        .iter()
        .map(|column| match namesakes.slug(&column.name, &column.slug) {
            Some(slug) => format!("{} ({slug})", column.name),
            None => column.name.clone(),
        })
        .collect();
    match &titles[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        titles => titles.concat(),
    }
}

struct Requested {
    /// The apps, each once, in the order of the request.
    positions: Vec<u32>,
    /// The first names that no app has.
    unknown: Vec<String>,
}

impl Requested {
    fn read(site: &Site<'_>, slugs: &str) -> Self {
        let snapshot = site.snapshot;
        let (mut positions, mut unknown) = (Vec::new(), Vec::new());
        let names = slugs.split(',').map(str::trim).filter(|name| !name.is_empty());
        for name in names.take(10 * MOST) {
            match snapshot.find_named(name) {
                Some(position) if !positions.contains(&position) => positions.push(position),
                None if unknown.len() < MOST => {
                    unknown.push(name.chars().take(128).collect());
                }
                Some(_) | None => {}
            }
        }
        Self { positions, unknown }
    }
}
