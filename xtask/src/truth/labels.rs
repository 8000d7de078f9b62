//! Whether a generated label would install the app.

use appstitch_stitching::{ParsedSources, generate_label};
use appstitch_types::GeneratedLabel;

use super::{
    answers::{DownloadRow, LabelRow},
    catalog::Catalog,
    score::Score,
};

pub(super) fn score(rows: &[LabelRow], catalog: &Catalog) -> Score {
    let mut score = Score::default();
    for row in rows {
        let stitched = catalog.find(&row.slug, &row.names);
        let label = stitched.and_then(|stitched| {
            let sources = stitched.record.sources.as_ref()?;
            Some(generate_label(&stitched.record.app, &ParsedSources::of(sources)))
        });
        let is_accepted = label.as_ref().is_some_and(|label| is_deployable(label, row));
        let found = label.map(|label| described(&label));
        let expected = format!("{} {} *{}", row.name, row.download.kind, suffix(&row.download));
        score.add(&row.slug, Some(&expected), found.as_deref(), is_accepted);
    }
    score
}

fn is_deployable(label: &GeneratedLabel, row: &LabelRow) -> bool {
    let text = |variable: &str| label.content.get(variable).and_then(|value| value.as_str());
    let app = text("appName").or(text("name")).unwrap_or_default();
    let file = app.rsplit('/').next().unwrap_or_default();
    let fits = |download: &DownloadRow| {
        let url = text("downloadURL").unwrap_or_default();
        let path = url.split(['?', '#']).next().unwrap_or_default();
        text("type") == Some(&download.kind) && !url.is_empty() && path.ends_with(suffix(download))
    };
    let has = |variable: &String| label.content.contains_key(variable);
    file.strip_suffix(".app").unwrap_or(file) == row.name
        && (fits(&row.download) || row.also.iter().any(fits))
        && row.needs.iter().all(has)
}

fn suffix(download: &DownloadRow) -> &str {
    download.url_suffix.as_deref().unwrap_or_default()
}

fn described(label: &GeneratedLabel) -> String {
    let shown = ["name", "appName", "type", "downloadURL"];
    let values = shown.iter().filter_map(|name| label.content.get(*name)?.as_str());
    values.collect::<Vec<_>>().join(" ")
}
