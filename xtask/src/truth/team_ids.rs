//! How good the Team ID of a publisher's other apps is, which generated labels get if no source has
//! one: each signed app in turn is taken as one whose label states none.

use appstitch_stitching::{
    ParsedSources, Stitched, generate_label,
    publishers::{Evidence, directory},
};
use appstitch_types::TeamId;

use super::catalog::Catalog;
use crate::publishers::signers::{Signers, team_id};

#[derive(Default)]
pub(super) struct Measure {
    right: usize,
    wrong: Vec<String>,
    reach: usize,
}

impl Measure {
    pub(super) fn of(catalog: &Catalog) -> Self {
        let apps = catalog.apps().iter();
        let evidence = |app: &Stitched| app.record.sources.as_ref().map(Evidence::read);
        let read: Vec<(&Stitched, Evidence)> =
            apps.filter_map(|app| Some((app, evidence(app)?))).collect();
        let signers = Signers::count(directory(), read.iter().map(|(_, evidence)| evidence));
        let mut measure = Self::default();
        for (app, evidence) in &read {
            measure.reach += usize::from(is_of_publisher(app));
            match (team_id(evidence), signers.without(evidence)) {
                (Some(id), Some(found)) if id == found => measure.right += 1,
                (Some(id), Some(found)) => {
                    measure.wrong.push(format!("{}: {id}, not {found}", app.record.app.slug));
                }
                _ => {}
            }
        }
        measure
    }

    pub(super) fn print(&self) {
        println!("\n| Team ID by the publisher's other apps | Number |\n|---|---:|");
        println!("| signed apps with such a Team ID | {} |", self.right + self.wrong.len());
        println!("| of these right | {} |", self.right);
        println!("| generated labels that get one | {} |", self.reach);
    }

    pub(super) fn mistakes(&self) -> &[String] {
        &self.wrong
    }
}

/// Whether the generated label has a Team ID that the record has not.
fn is_of_publisher(app: &Stitched) -> bool {
    let Some(sources) = &app.record.sources else { return false };
    if app.record.app.expected_team_id.is_some() {
        return false;
    }
    let label = generate_label(&app.record.app, &ParsedSources::of(sources));
    let id = label.content.get("expectedTeamID").and_then(|value| value.as_str());
    id.is_some_and(|id| TeamId::parse(id).is_ok())
}
