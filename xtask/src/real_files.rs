//! The upstreams' real files, which are beside the workspace, and the catalog stitched from them.

use std::{collections::HashMap, convert::Infallible, path::Path};

use appstitch_sources::{Upstream, UpstreamEntry};
use appstitch_stitching::{Documents, Stitched, stitch};

use crate::run::Failure;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    All,
    /// All files, and what a Mac found by running the labels.
    WithFindings,
    /// Those that anyone can download: casks, labels and recipes.
    Public,
}

const PUBLIC: [(Upstream, &str); 3] = [
    (Upstream::LabelTool, "label_tool/labels.tar.gz"),
    (Upstream::CaskCatalog, "cask_catalog/cask.json.gz"),
    (Upstream::RecipeIndex, "recipe_index/index.json.gz"),
];

const OTHERS: [(Upstream, &str); 5] = [
    (Upstream::MdmInstaller, "mdm_installer/titles.synthetic.html"),
    (Upstream::MdmInstaller, "mdm_installer/titles.synthetic.json.gz"),
    (Upstream::StoreListing, "store_listing/lookup.json.gz"),
    (Upstream::StoreListing, "store_listing/lookup.synthetic.json.gz"),
    (Upstream::PatchTitles, "mdm_installer/patch_titles.synthetic.xml.gz"),
];

const FINDINGS: (Upstream, &str) = (Upstream::LabelVersions, "label_tool/resolved.tar.gz");

pub(crate) fn documents(data: &Path, files: Files) -> Result<Documents, Failure> {
    let others = OTHERS.iter().filter(|_| files != Files::Public);
    let findings = Some(&FINDINGS).filter(|_| files == Files::WithFindings);
    let all: Vec<&(Upstream, &str)> = PUBLIC.iter().chain(others).chain(findings).collect();
    let mut read: HashMap<Upstream, Vec<UpstreamEntry>> = HashMap::new();
    for upstream in Upstream::ALL {
        let entries = read.entry(upstream).or_default();
        for (_, file) in all.iter().filter(|(source, _)| *source == upstream) {
            let bytes = std::fs::read(data.join(file))
                .map_err(|error| Failure(format!("cannot read {file}: {error}")))?;
            let parsed = upstream
                .read(&bytes)
                .map_err(|error| Failure(format!("cannot read {file}: {error}")))?;
            entries.extend(parsed.entries);
        }
    }
    Ok(Upstream::decode_all(|upstream| read.remove(&upstream).unwrap_or_default()))
}

pub(crate) fn stitched(data: &Path, files: Files) -> Result<Vec<Stitched>, Failure> {
    Ok(stitch_all(&documents(data, files)?))
}

pub(crate) fn stitch_all(documents: &Documents) -> Vec<Stitched> {
    let mut apps = Vec::new();
    let Ok(_) = stitch(documents, |stitched| {
        apps.push(stitched);
        Ok::<(), Infallible>(())
    });
    apps
}
