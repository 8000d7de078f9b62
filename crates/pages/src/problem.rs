//! The page for what cannot be shown.

use appstitch_types::search::SearchHit;
use askama::Template;

use crate::{
    address::app_page,
    frame::{Frame, Section},
    namesakes::Namesakes,
    site::{PageError, Site},
};

/// How many apps are suggested.
const SUGGESTIONS: usize = 5;

#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// In a few words: `Page not found`.
    pub title: &'a str,
    /// What is wrong and what to do, in a sentence or two.
    pub text: &'a str,
    /// What was wanted, if apps with a similar name should be suggested.
    pub wanted: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame,
    problem: Problem<'a>,
    suggestions: Vec<Suggestion>,
}

struct Suggestion {
    path: String,
    name: String,
    /// Set if another suggestion has the same name.
    slug: Option<String>,
    version: Option<String>,
    vendor: Option<String>,
}

pub fn problem(site: &Site<'_>, path: &str, problem: Problem<'_>) -> Result<String, PageError> {
    let frame = site.frame(Section::None, problem.title, path).not_indexed();
    let frame = frame.with_query(problem.wanted.unwrap_or_default());
    let suggestions = problem.wanted.map(|wanted| suggestions(site, wanted)).transpose()?;
    let suggestions = suggestions.unwrap_or_default();
    Ok(ProblemPage { frame, problem, suggestions }.render()?)
}

fn suggestions(site: &Site<'_>, wanted: &str) -> Result<Vec<Suggestion>, PageError> {
    let found = site.search(wanted, SUGGESTIONS, 0)?;
    let namesakes = Namesakes::among(found.items.iter().map(|hit| (&*hit.app.name, &*hit.slug)));
    let suggestion = |hit: &SearchHit| Suggestion {
        path: app_page(&hit.slug),
        slug: namesakes.slug(&hit.app.name, &hit.slug),
        name: hit.app.name.clone(),
        version: hit.app.current_version.clone(),
        vendor: hit.app.vendor.clone(),
    };
    Ok(found.items.iter().map(suggestion).collect())
}
