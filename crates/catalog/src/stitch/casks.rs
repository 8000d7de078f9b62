//! Finding the cask of a label.

use std::collections::{BTreeSet, HashMap, HashSet};

use url::Url;

use super::{
    evidence::{Evidence, Signal},
    names::normal,
};
use crate::{
    CaskCatalogSource, InstallMethod, LabelDocument, Uri, cask::CaskFacts, label::literal::Literals,
};

/// Casks by everything that a label points to. What no label asks for is not indexed, so that
/// the index grows with the labels.
pub(super) struct CaskIndex<'a> {
    casks: &'a [CaskCatalogSource],
    facts: &'a [CaskFacts],
    by_key: HashMap<String, Vec<usize>>,
}

/// How many letters a name needs so that two apps hardly share it.
const DISTINCTIVE: usize = 9;

/// What a label says that a cask can be held against.
pub(super) struct Wanted {
    slug: String,
    /// The label's other names.
    other_names: Vec<String>,
    /// Everything the app goes by.
    names: Vec<String>,
    app_file: Option<String>,
    /// Whether its download is an app, and no package.
    is_app: bool,
    package_id: Option<String>,
    repository: Option<String>,
    download: Option<Download>,
    /// The sites that its text names.
    sites: BTreeSet<String>,
}

/// Where a download comes from: its host, and its file's name without digits.
#[derive(PartialEq, Eq)]
struct Download {
    host: String,
    file: String,
}

impl<'a> CaskIndex<'a> {
    pub(super) fn new<'w>(
        casks: &'a [CaskCatalogSource],
        facts: &'a [CaskFacts],
        wanted: impl Iterator<Item = &'w Wanted>,
    ) -> Self {
        let asked: HashSet<String> = wanted.flat_map(Wanted::keys).collect();
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, (cask, facts)) in casks.iter().zip(facts).enumerate() {
            let mut keys = BTreeSet::new();
            keys.insert(format!("name:{}", normal(&cask.token)));
            keys.extend(facts.old_tokens.iter().map(|token| format!("name:{}", normal(token))));
            keys.extend(facts.names.iter().map(|name| format!("name:{}", normal(name))));
            keys.extend(facts.app_names.iter().map(|name| format!("name:{}", normal(name))));
            keys.extend(facts.receipts.iter().map(|receipt| format!("receipt:{receipt}")));
            keys.extend(repository_of(facts).map(|repository| format!("repository:{repository}")));
            for key in keys.into_iter().filter(|key| asked.contains(key)) {
                by_key.entry(key).or_default().push(position);
            }
        }
        Self { casks, facts, by_key }
    }

    /// The cask with the best evidence, if there is enough of it.
    pub(super) fn find(&self, wanted: &Wanted) -> Option<(usize, Evidence)> {
        let candidates: BTreeSet<usize> =
            wanted.keys().filter_map(|key| self.by_key.get(&key)).flatten().copied().collect();
        let weighed =
            candidates.into_iter().map(|position| (position, self.weigh(wanted, position)));
        let enough: Vec<(usize, Evidence)> =
            weighed.filter(|(_, evidence)| evidence.is_enough()).collect();
        let most = enough.iter().map(|(_, evidence)| evidence.weight()).max()?;
        let best = enough.into_iter().filter(|(_, evidence)| evidence.weight() == most);
        let (specific, vague): (Vec<_>, Vec<_>) =
            best.partition(|(_, evidence)| evidence.is_specific());
        // Several apps of one maker that nothing tells apart are no answer.
        if specific.is_empty() && vague.len() > 1 {
            return None;
        }
        // Among equals the plainest token, then the first.
        let best = if specific.is_empty() { vague } else { specific };
        best.into_iter().min_by_key(|(position, evidence)| {
            let token = &self.casks[*position].token;
            (!evidence.is_same_token(), token.contains('@'), token.len(), token.clone())
        })
    }

    /// Whether the sites of a label and of a cask's download and home page are the same.
    fn compare_sites(&self, wanted: &Wanted, position: usize) -> Option<Signal> {
        let facts = &self.facts[position];
        let own = facts.url.as_ref().map(Uri::as_str).into_iter().chain(facts.homepage.as_deref());
        let own: BTreeSet<String> = own.flat_map(sites).collect();
        if wanted.sites.is_empty() || own.is_empty() {
            None
        } else if wanted.sites.is_disjoint(&own) {
            // Makers have several sites; only a short name needs the same one.
            (wanted.slug.len() < DISTINCTIVE).then_some(Signal::OtherSite)
        } else {
            Some(Signal::Site)
        }
    }

    fn weigh(&self, wanted: &Wanted, position: usize) -> Evidence {
        let (cask, facts) = (&self.casks[position], &self.facts[position]);
        let token = normal(&cask.token);
        let named = |name: &String| wanted.names.contains(&normal(name));
        let token_signal = if wanted.slug == token {
            Some(Signal::SameToken)
        } else if wanted.other_names.contains(&token) {
            Some(Signal::SimilarToken)
        } else if wanted.names.contains(&token) {
            Some(Signal::NamedToken)
        } else {
            facts.old_tokens.iter().any(named).then_some(Signal::FormerToken)
        };
        // A label that goes by its receipt may call itself anything.
        let named_freely = wanted.package_id.is_some();
        let app_file = wanted
            .app_file
            .as_deref()
            .and_then(|file| compare_app_files(file, &facts.app_names))
            .filter(|signal| !(named_freely && *signal == Signal::OtherAppFile));
        let repository =
            wanted.repository.as_ref().zip(repository_of(facts)).map(|(left, right)| {
                let owner = |repository: &str| repository.split('/').next().map(str::to_owned);
                if *left == right {
                    Signal::Repository
                } else if owner(left) == owner(&right) {
                    Signal::Owner
                } else {
                    Signal::OtherRepository
                }
            });
        let download = || {
            let left = wanted.download.as_ref()?;
            let right = Download::read(facts.url.as_ref()?.as_str())?;
            if *left == right && !left.file.is_empty() {
                Some(Signal::DownloadPath)
            } else {
                (left.host == right.host && !is_shared_host(&left.host))
                    .then_some(Signal::DownloadHost)
            }
        };
        let receipt =
            wanted.package_id.as_ref().filter(|id| facts.receipts.contains(id)).map(|id| {
                let owners = self.by_key.get(&format!("receipt:{id}")).map_or(0, Vec::len);
                if owners == 1 { Signal::Receipt } else { Signal::SharedReceipt }
            });
        let shared = facts.names.iter().filter(|name| named(name));
        let longest = shared.map(|name| normal(name).chars().count()).max();
        let name = longest
            .map(|length| if length >= DISTINCTIVE { Signal::Name } else { Signal::ShortName });
        let variant = cask.token.split_once('@').map(|(_, variant)| normal(variant));
        let variant = variant.map(|variant| {
            let numbered = variant.chars().all(|character| character.is_ascii_digit());
            let asked = wanted.names.iter().any(|name| {
                if numbered { ends_in_number(name, &variant) } else { name.contains(&variant) }
            });
            if asked { Signal::Asked } else { Signal::Unasked }
        });
        Evidence::of([
            token_signal,
            name,
            app_file,
            receipt,
            repository,
            download(),
            self.compare_sites(wanted, position),
            variant,
            facts.disabled.then_some(Signal::Disabled),
            (facts.is_command && wanted.is_app).then_some(Signal::NoApp),
            is_other_major(&wanted.slug, &token, facts.version.as_deref())
                .then_some(Signal::OtherMajor),
        ])
    }
}

/// Whether a name has this number in it, and not as a part of a longer one.
fn ends_in_number(name: &str, number: &str) -> bool {
    let mut numbers = name.split(|character: char| !character.is_ascii_digit());
    numbers.any(|own| own == number)
}

/// Whether a label that is made for one major version (`sample3`, `sample2024`) is held against
/// a cask that has moved on to another. A number that is far from the version, or in the
/// token as well, belongs to the name.
fn is_other_major(slug: &str, token: &str, version: Option<&str>) -> bool {
    let digits = slug.len() - slug.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let wanted = &slug[slug.len() - digits..];
    if wanted.is_empty() || digits == slug.len() || token.ends_with(wanted) {
        return false;
    }
    let major = version.and_then(|text| text.split(|c: char| !c.is_ascii_digit()).next());
    let (Some(mut wanted), Some(mut major)) =
        (wanted.parse::<u16>().ok(), major.and_then(|digits| digits.parse::<u16>().ok()))
    else {
        return false;
    };
    // The year of a version may be written with two digits or four.
    let year = 2000..2100;
    let short_year = 20..100;
    match (year.contains(&wanted), year.contains(&major)) {
        (true, false) if short_year.contains(&major) => wanted -= 2000,
        (false, true) if short_year.contains(&wanted) => major -= 2000,
        _ => {}
    }
    wanted != major && wanted.abs_diff(major) <= 10
}

/// The web sites that text names, but for those that everybody shares. The last two parts of
/// a host tell whose it is; where the last but one is short (`co.uk`), the last three do.
fn sites(text: &str) -> BTreeSet<String> {
    let hosts = text.split("://").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-');
        rest[..end.unwrap_or(rest.len())].to_ascii_lowercase()
    });
    let site = |host: String| {
        let mut parts = host.rsplit('.');
        let (top, second, third) = (parts.next()?, parts.next()?, parts.next());
        if top.is_empty() || second.is_empty() {
            return None;
        }
        Some(match third {
            Some(third) if second.len() <= 3 && top.len() == 2 => format!("{third}.{second}.{top}"),
            _ => format!("{second}.{top}"),
        })
    };
    hosts.filter(|host| !is_shared_host(host)).filter_map(site).collect()
}

/// Whether an app's file is among those a cask installs. A name that is part of the other one
/// (`Sample` and `Sample 2024`) speaks neither for nor against it.
fn compare_app_files(file: &str, installed: &[String]) -> Option<Signal> {
    let same = |name: &String| normal(name) == normal(file);
    if installed.is_empty() {
        None
    } else if installed.iter().any(same) {
        let distinctive = normal(file).chars().count() >= DISTINCTIVE;
        Some(if distinctive { Signal::AppFile } else { Signal::ShortAppFile })
    } else if installed.iter().any(|name| has_words_of(name, file) || has_words_of(file, name)) {
        None
    } else {
        Some(Signal::OtherAppFile)
    }
}

/// Whether the words of one name are among those of the other, in a row: `Sample` is in
/// `Sample 2024`, but not in `Sampler`.
fn has_words_of(long: &str, short: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let mut spaced = String::new();
        for character in text.chars() {
            let joined = spaced.chars().last().is_some_and(|last| {
                last.is_alphabetic() == character.is_alphabetic()
                    && !(last.is_lowercase() && character.is_uppercase())
            });
            if !joined {
                spaced.push(' ');
            }
            spaced.push(character);
        }
        let words = spaced.split(|character: char| !character.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (long, short) = (words(long), words(short));
    !short.is_empty() && long.windows(short.len()).any(|part| part == short)
}

impl Wanted {
    pub(super) fn read(label: &LabelDocument, literals: &Literals) -> Self {
        let app_file = literals.text("appName").or_else(|| literals.name());
        let app_file = app_file.map(|file| file.strip_suffix(".app").unwrap_or(file).to_owned());
        let own = std::iter::once(label.slug.as_str());
        let names = own
            .chain(label.other_names.iter().map(String::as_str))
            .chain(literals.name())
            .map(normal)
            .filter(|name| !name.is_empty())
            .collect();
        let url = literals.text("downloadURL");
        let method = literals.text("type").and_then(InstallMethod::from_word);
        Self {
            slug: normal(label.slug.as_str()),
            other_names: label.other_names.iter().map(|name| normal(name)).collect(),
            names,
            app_file,
            is_app: method.is_some_and(|method| !method.is_package()),
            package_id: literals.text("packageID").map(str::to_owned),
            repository: label_repository(label).or_else(|| url.and_then(repository)),
            download: url.and_then(Download::read),
            sites: sites(label.source.raw.as_json()),
        }
    }

    fn keys(&self) -> impl Iterator<Item = String> {
        let names =
            self.names.iter().chain(&self.app_file).map(|name| format!("name:{}", normal(name)));
        let receipt = self.package_id.iter().map(|id| format!("receipt:{id}"));
        let repository =
            self.repository.iter().map(|repository| format!("repository:{repository}"));
        names.chain(receipt).chain(repository)
    }
}

impl Download {
    fn read(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        let file = url.path().rsplit('/').next()?;
        let file = file.chars().filter(char::is_ascii_alphabetic).collect::<String>();
        Some(Self { host: url.host_str()?.to_owned(), file: file.to_ascii_lowercase() })
    }
}

/// Hosts on which everybody's files are: being there says nothing.
fn is_shared_host(host: &str) -> bool {
    const SHARED: [&str; 12] = [
        "github.com",
        "github.io",
        "githubusercontent.com",
        "gitlab.io",
        "google.com",
        "amazonaws.com",
        "sourceforge.net",
        "googleapis.com",
        "cloudfront.net",
        "dropbox.com",
        "microsoft.com",
        "gitlab.com",
    ];
    SHARED.iter().any(|shared| host == *shared || host.ends_with(&format!(".{shared}")))
}

/// The owner and name of the source repository that a cask is downloaded from or at home in.
fn repository_of(facts: &CaskFacts) -> Option<String> {
    let url = facts.url.as_ref().map(Uri::as_str);
    url.and_then(repository).or_else(|| facts.homepage.as_deref().and_then(repository))
}

/// The owner and name of a repository in an address, in lower case.
pub(super) fn repository(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://github.com/")?;
    let mut segments = rest.split(['/', '?', '#']);
    let (owner, name) = (segments.next()?, segments.next()?);
    (!owner.is_empty() && !name.is_empty()).then(|| {
        format!("{owner}/{}", name.strip_suffix(".git").unwrap_or(name)).to_ascii_lowercase()
    })
}

/// The repository that a label asks for its newest release: `downloadURLFromGit OWNER NAME`.
fn label_repository(label: &LabelDocument) -> Option<String> {
    let raw = label.source.raw.as_json();
    let call = ["downloadURLFromGit ", "versionFromGit "]
        .iter()
        .find_map(|function| raw.split_once(function));
    if let Some((_, rest)) = call {
        let plain =
            |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        let mut words =
            rest.split([' ', ')', '"', '\\', '|']).filter(|word| !word.is_empty()).take(2);
        let (owner, name) = (words.next().filter(plain)?, words.next().filter(plain)?);
        return Some(format!("{owner}/{name}").to_ascii_lowercase());
    }
    let (_, rest) = raw.split_once("api.github.com/repos/")?;
    repository(&format!("https://github.com/{rest}"))
}
