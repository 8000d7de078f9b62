//! `appstitch search`: apps by how well they match.

use appstitch_client::{MatchTier, SearchField, SearchHit, SearchQuery, SearchResponse};

use super::{
    listing::{Filters, note_more},
    request::{client, failure, get, print_body},
    vendor::unknown_vendor,
};
use crate::{
    arguments::SearchArguments,
    exit::Failure,
    table::{Column, Look, cell, deprecation},
    words::all_of,
};

pub(crate) async fn search(arguments: SearchArguments) -> Result<(), Failure> {
    let client = client(&arguments.read.server)?;
    let filters = Filters::of([
        ("--vendor", arguments.vendor.as_ref()),
        ("--source", arguments.source.as_ref()),
    ]);
    let query = SearchQuery {
        query: arguments.query.join(" "),
        vendor: arguments.vendor,
        source: arguments.source,
        limit: arguments.limit,
        offset: arguments.offset,
    };
    let raw = get(&client, "search", &query.pairs()).await?;
    let page: SearchResponse = raw.decode().map_err(failure)?;
    if arguments.read.json {
        print_body(&raw.body)?;
    } else {
        show(&page.items, Look::of(arguments.read.color))?;
    }
    match page.total {
        0 => {
            let failure = filters.nothing_for(&query.query);
            if let Some(hint) = unknown_vendor(&client, query.vendor.as_deref()).await {
                return Err(failure.hint(hint));
            }
            let nearest =
                page.did_you_mean.iter().map(|app| format!("{} ({})", app.name, app.slug));
            let nearest = nearest.collect::<Vec<_>>().join(", ");
            Err(if nearest.is_empty() {
                failure
            } else {
                failure.hint(format!("the nearest names are {nearest}"))
            })
        }
        total if page.items.is_empty() => {
            eprintln!("No apps at offset {}; {total} match", query.offset);
            Ok(())
        }
        total => {
            note_more(query.offset, page.items.len(), Some(total), "--limit or --offset");
            Ok(())
        }
    }
}

fn show(hits: &[SearchHit], look: Look) -> Result<(), Failure> {
    let has_deprecated = hits.iter().any(|hit| hit.deprecated);
    let mut columns = vec![
        Column::whole("SLUG"),
        Column::cut("NAME"),
        Column::optional("VENDOR", 2),
        Column::whole("VERSION"),
        Column::optional("MATCH", 1),
    ];
    if has_deprecated {
        columns.push(Column::whole("DEPRECATION"));
    }
    let mut table = look.table(columns);
    for hit in hits {
        let mut row = vec![
            cell(Some(hit.slug.as_str())),
            cell(Some(&hit.app.name)),
            cell(hit.app.vendor.as_deref()),
            cell(hit.app.current_version.as_deref()),
            cell(Some(&matched(hit))),
        ];
        if has_deprecated {
            row.push(deprecation(hit.deprecated));
        }
        table.add_row(row);
    }
    table.print()
}

/// How a hit matches, in a few words: `exact name`, `words in name and vendor`.
fn matched(hit: &SearchHit) -> String {
    let mut fields: Vec<&str> = hit.matches.iter().map(|found| field(found.field)).collect();
    fields.dedup();
    let fields = all_of(&fields);
    match hit.tier {
        MatchTier::Exact => format!("exact {fields}"),
        MatchTier::Words => format!("words in {fields}"),
        MatchTier::Beginning => format!("beginning in {fields}"),
        MatchTier::Inside => format!("inside {fields}"),
        MatchTier::Typo => format!("typo in {fields}"),
    }
}

fn field(field: SearchField) -> &'static str {
    match field {
        SearchField::Name => "name",
        SearchField::Slug => "slug",
        SearchField::Token => "cask token",
        SearchField::LabelName => "label name",
        SearchField::FormerToken => "former cask token",
        SearchField::OtherName => "other name",
        SearchField::BundleId => "bundle identifier",
        SearchField::TeamId => "Team ID",
        SearchField::Vendor => "vendor",
    }
}
