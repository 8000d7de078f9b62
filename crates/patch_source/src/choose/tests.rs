use super::*;
use crate::{OtherVersion, Standing};

fn app(slug: &str, bundle_id: &str, file: &str) -> Candidate {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Candidate {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        bundle_id: given(bundle_id),
        version: given("1.0"),
        app_file: given(file),
        ..Candidate::default()
    }
}

fn outcomes(apps: &[Candidate]) -> Vec<String> {
    let chosen = choose(apps);
    let slug = |app: u32| &apps[app as usize].slug;
    let title = |title: &Title| {
        format!("{}{}", slug(title.app), if title.by_file { " by file" } else { "" })
    };
    let omitted = |omission: &Omission| {
        let other = omission.other.map(|app| format!(" of {}", slug(app))).unwrap_or_default();
        format!("{}: {}{other}", slug(omission.app), omission.reason.word())
    };
    chosen.titles.iter().map(title).chain(chosen.omitted.iter().map(omitted)).collect()
}

#[test]
fn apps_without_what_a_definition_needs_have_none() {
    let base = || app("a", "com.example.a", "A.app");
    let version = |version: &str| Candidate { version: Some(version.to_owned()), ..base() };
    let other = OtherVersion { source: "store_listing".to_owned(), version: "2".to_owned() };
    for (candidate, reason) in [
        (Candidate { bundle_id: None, ..base() }, Reason::NoBundleId),
        (Candidate { bundle_id: None, version: None, ..base() }, Reason::NoBundleId),
        (Candidate { version: None, ..base() }, Reason::NoVersion),
        (Candidate { has_unsure_id: true, ..base() }, Reason::UnsureBundleId),
        (Candidate { counts_builds: true, ..base() }, Reason::BuildVersion),
        (Candidate { is_elsewhere: true, ..base() }, Reason::VersionElsewhere),
        (version("4200"), Reason::BuildVersion),
        (version("1.2-345"), Reason::VersionForm),
        (
            Candidate {
                standing: Standing { is_variant: true, ..Standing::default() },
                ..version("155.0b3")
            },
            Reason::VersionForm,
        ),
        (Candidate { other_version: Some(other), ..base() }, Reason::OtherVersion),
    ] {
        assert_eq!(outcomes(&[candidate]), [format!("a: {}", reason.word())]);
    }
    assert_eq!(outcomes(&[base()]), ["a"]);
}

#[test]
fn files_tell_apps_with_one_bundle_identifier_apart() {
    let apps = [app("a", "com.a", "A.app"), app("b", "COM.A", "B.app"), app("c", "com.c", "")];
    assert_eq!(outcomes(&apps), ["a by file", "b by file", "c"]);
}

#[test]
fn only_the_main_app_is_kept_if_files_do_not_tell_them_apart() {
    let standing = Standing { is_variant: true, ..Standing::default() };
    let variant = Candidate { standing, ..app("a", "com.a", "A.app") };
    let apps = [variant, app("a-long-name", "com.a", "a.app"), app("unknown", "com.a", "")];
    assert_eq!(
        outcomes(&apps),
        [
            "a-long-name",
            "a: shared_bundle_id of a-long-name",
            "unknown: shared_bundle_id of a-long-name"
        ]
    );
    let apps = [app("bb", "com.a", ""), app("b", "com.a", "")];
    assert_eq!(outcomes(&apps), ["b", "bb: shared_bundle_id of b"]);
}

#[test]
fn an_app_without_a_file_is_kept_rather_than_its_variants() {
    let standing = Standing { is_variant: true, ..Standing::default() };
    let variant = Candidate { standing, ..app("a@beta", "com.a", "A.app") };
    assert_eq!(outcomes(&[variant, app("a", "com.a", "")]), ["a", "a@beta: shared_bundle_id of a"]);
}

#[test]
fn an_app_that_is_left_out_anyway_shares_nothing() {
    let without = Candidate { version: None, ..app("a", "com.a", "A.app") };
    assert_eq!(outcomes(&[without, app("b", "com.a", "B.app")]), ["b", "a: no_version"]);
}

#[test]
fn an_identifier_belongs_to_the_slug_that_it_is() {
    let apps = [app("x-at-y", "com.x", ""), app("x@y", "com.y", "")];
    assert_eq!(outcomes(&apps), ["x-at-y", "x@y: shared_id of x-at-y"]);
    let apps = [apps[1].clone(), apps[0].clone()];
    assert_eq!(outcomes(&apps), ["x-at-y", "x@y: shared_id of x-at-y"]);
}
