//! Cross-source version drift: which sources disagree on an app's newest version.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::source::{DriftRole, Source};

/// The newest version according to one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SourceVersion {
    /// The source's token.
    pub source: String,
    /// The version as the source writes it.
    pub version: String,
    /// Whether the version could be parsed; only parsed versions can be ordered.
    pub parsed_ok: bool,
}

/// One app whose sources disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DriftEntry {
    /// The app's slug.
    pub slug: String,
    /// The app's name.
    pub name: String,
    /// The app's vendor.
    pub vendor: Option<String>,
    /// The version of each versioned source; always complete.
    pub versions: Vec<SourceVersion>,
    /// The source with the highest version; null if a version could not be parsed.
    pub leader: Option<String>,
    /// The source with the lowest version; null if a version could not be parsed.
    pub laggard: Option<String>,
}

/// A page of the catalog's drift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DriftResponse {
    /// Apps with at least two versioned sources.
    pub total_scanned: u64,
    /// Unpaged count of disagreements that match the request's filters.
    pub total_with_drift: u64,
    /// The requested page.
    pub entries: Vec<DriftEntry>,
}

/// The sources whose versions are compared: those that always are, and those that a request
/// includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DriftScope(u8);

impl DriftScope {
    /// The sources that are compared on request, in the order of their versions.
    pub const ON_REQUEST: [Source; 2] = [Source::MdmInstaller, Source::StoreListing];

    /// Every scope; the first is the default.
    pub const ALL: [Self; 1 << Self::ON_REQUEST.len()] = [Self(0), Self(1), Self(2), Self(3)];

    /// The scope with all sources that state versions.
    pub const EVERYTHING: Self = Self(3);

    /// The position of the scope in [`Self::ALL`].
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The scope with this source, if it is one that is compared on request.
    #[must_use]
    pub fn with(self, source: Source) -> Self {
        Self(self.0 | Self::bit(source))
    }

    /// Whether the versions of a source are compared.
    pub fn includes(self, source: Source) -> bool {
        match source.describe().drift {
            DriftRole::Always => true,
            DriftRole::OnRequest => self.0 & Self::bit(source) != 0,
            DriftRole::Never => false,
        }
    }

    fn bit(source: Source) -> u8 {
        let position = Self::ON_REQUEST.into_iter().position(|on_request| on_request == source);
        position.map_or(0, |position| 1 << position)
    }

    /// The scope with the sources of a list such as `mdm_installer,store_listing`. Fails with the
    /// first name that is not a source with versions.
    pub fn read(list: &str) -> Result<Self, &str> {
        let mut scope = Self::default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let source = Source::from_token(name).ok_or(name)?;
            if source.describe().drift == DriftRole::Never {
                return Err(name);
            }
            scope = scope.with(source);
        }
        Ok(scope)
    }

    /// The names of the included sources, in the order of their versions: what [`Self::read`]
    /// takes.
    pub fn further(self) -> impl Iterator<Item = &'static str> {
        let included = Self::ON_REQUEST.into_iter().filter(move |source| self.includes(*source));
        included.map(Source::token)
    }

    /// The versions that are compared.
    pub fn of(self, versions: &[SourceVersion]) -> impl Iterator<Item = &SourceVersion> {
        versions.iter().filter(move |stated| {
            Source::from_token(&stated.source).is_none_or(|source| self.includes(source))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_on_request_are_those_that_are_described_so() {
        for source in Source::ALL {
            let is_on_request = source.describe().drift == DriftRole::OnRequest;
            assert_eq!(DriftScope::ON_REQUEST.contains(&source), is_on_request, "{source:?}");
        }
    }

    #[test]
    fn a_scope_is_its_number_and_reads_what_it_writes() {
        assert!(Source::ALL.into_iter().all(|source| {
            DriftScope::EVERYTHING.includes(source) == (source.describe().drift != DriftRole::Never)
        }));
        for (number, scope) in DriftScope::ALL.into_iter().enumerate() {
            assert_eq!(scope.number(), number);
            let list = scope.further().collect::<Vec<_>>().join(",");
            assert_eq!(DriftScope::read(&list), Ok(scope));
        }
        assert_eq!(DriftScope::read("label_tool, recipe_index"), Err("recipe_index"));
        assert_eq!(DriftScope::read("label_tool,cask_catalog"), Ok(DriftScope::default()));
    }
}
