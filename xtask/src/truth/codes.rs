//! The codes of installer titles and of the patch catalog: how many lead to apps.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use appstitch_setup::real_files;
use appstitch_stitching::PatchTitle;

use crate::{
    real_files::{Files, documents, stitch_all},
    run::Failure,
};

pub(super) struct Codes {
    titles: Vec<PatchTitle>,
    /// The slugs that each code leads to, with the evidence.
    found: BTreeMap<String, Vec<(String, String)>>,
}

impl Codes {
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let documents = documents(data, Files::WithFindings)?;
        let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for stitched in stitch_all(&documents) {
            let slug = stitched.record.app.slug.to_string();
            let title =
                stitched.record.sources.as_ref().and_then(|sources| sources.mdm_installer.as_ref());
            if let Some(code) = title.and_then(|title| title.mgmt_id.clone()) {
                let entry = (slug.clone(), "installer title".to_owned());
                found.entry(code).or_default().push(entry);
            }
            for title in stitched.provenance.title_codes {
                let entry = (slug.clone(), title.evidence.join("; "));
                found.entry(title.code).or_default().push(entry);
            }
        }
        Ok(Self { titles: documents.patch_titles, found })
    }

    pub(super) fn print(&self) {
        let codes: BTreeSet<&str> = self.titles.iter().map(|title| title.code.as_str()).collect();
        let leading = codes.iter().filter(|code| self.found.contains_key(**code)).count();
        println!("\n| Codes | |\n|---|---:|");
        println!("| titles of the patch catalog | {} |", codes.len());
        println!("| lead to apps | {leading} |");
        println!("| codes of all titles that lead to apps | {} |", self.found.len());
    }
}

/// Every title with its code, and the apps that the code leads to.
pub(super) fn print_all() -> Result<(), Failure> {
    let Some([data]) = real_files(["data"]) else { return Ok(()) };
    let codes = Codes::read(&data)?;
    for title in &codes.titles {
        let found = codes.found.get(&title.code).map(Vec::as_slice).unwrap_or_default();
        let slugs: Vec<&str> = found.iter().map(|(slug, _)| slug.as_str()).collect();
        let why = found.first().map(|(_, why)| why.as_str()).unwrap_or_default();
        let combined = if title.covers_all_versions { "all versions" } else { "" };
        println!(
            "{}\t{}\t{}\t{}\t{combined}\t{}\t{why}",
            title.code,
            title.name,
            title.publisher.as_deref().unwrap_or_default(),
            title.version.as_deref().unwrap_or_default(),
            slugs.join(",")
        );
    }
    Ok(())
}
