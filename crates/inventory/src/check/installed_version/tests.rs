use proptest::prelude::*;

use super::*;

fn against(short: &str, build: &str, version: &str) -> Verdict {
    installed(short, build).relation(version).verdict().0
}

/// The versions of an app; an empty text is none.
fn installed<'a>(short: &'a str, build: &'a str) -> InstalledVersion<'a> {
    let given = |text: &'a str| (!text.is_empty()).then(|| InstalledText::new(text));
    InstalledVersion { short: given(short), build: given(build) }
}

#[test]
fn the_installed_version_or_build_is_the_catalogs() {
    for (short, build, version) in [
        ("4.87.0", "236836", "4.87.0,236836"),
        ("2026.08.1+195", "", "2026.08.1,195"),
        ("5.4.0", "20109", "5.4.0,20109"),
        ("16.112", "16.112.26081720", "16.112.26081720"),
        ("9.2.321", "183", "183,9.2.321"),
        ("", "6.0", "6.0"),
        ("4.1.13", "269579", "4.1.13.11,269579"),
        ("3.7.8", "3.7.8.0", "3.7.8"),
        ("130.0", "130.0.2", "130.0.2"),
        ("18.3.4", "53630", "18.3.4-53630"),
    ] {
        assert_eq!(against(short, build, version), Verdict::Current, "{short} ({build}) {version}");
    }
}

#[test]
fn the_same_release_can_be_written_differently() {
    for (short, build, version) in [
        ("8.36.2", "", "8.36.2-3"),
        ("150.0.7871.46", "7871.46", "150.0.7871.46-1.1"),
        ("26.139.0720", "", "26.139.0720.0007"),
        ("129.0", "", "129.0.5823.28"),
        ("139.1.93.138", "", "1.93.138.0"),
        ("26.33.76", "", "2.26.33.76"),
        ("26.2.5.2", "26.2.5.2", "26.2.5"),
        ("Build 4200", "", "4200"),
        ("7.1.5 (84650)", "", "7.1.5.84650"),
        ("8.18.0", "", "2603-8.18.0-24230061568,CART27"),
    ] {
        let verdict = against(short, build, version);
        assert_eq!(verdict, Verdict::SameReleaseOtherString, "{short} ({build}) {version}");
    }
}

#[test]
fn a_build_and_a_marketing_version_are_not_compared() {
    for (short, build, version) in
        [("26.4", "", "250"), ("26.4", "21625.1.10.9", "250,140-89042"), ("250", "", "26.4")]
    {
        let verdict = against(short, build, version);
        assert_eq!(verdict, Verdict::NotComparable, "{short} ({build}) {version}");
    }
    // The build begins like the catalog's version.
    assert_eq!(against("18.3", "90.0.75000", "90.0-77070,a"), Verdict::Outdated);
    assert_eq!(against("18.3", "90.0.77070", "90.0-77070"), Verdict::Current);
    assert_eq!(against("2025.1", "", "2026"), Verdict::Outdated, "years");
}

#[test]
fn an_older_release_is_outdated() {
    for (short, build, version) in [
        ("1.8.10", "1.8.10", "1.13.7"),
        ("0.9", "", "0.99"),
        ("4.41.2", "191736", "4.87.0,236836"),
        ("16.95.3", "16.95.25032931", "16.112.26081720"),
        ("16.112", "16.112.26081017", "16.112.26081720"),
        ("116.0", "116.0.6", "130.0.2"),
        ("7.1.5 (83120)", "7.1.5.83120", "7.1.5.84650"),
        ("Build 4192", "4192", "4200"),
        ("9.1.100", "180", "183,9.2.321"),
        ("137.1.79.123", "", "1.93.138.0"),
        ("26.1.10", "", "2.26.33.76"),
        ("4.0.1 (build 5971)", "5971", "8.0.3,6303"),
        ("2.0", "5673", "6272"),
        ("4.5", "4.5", "4.5.1"),
    ] {
        assert_eq!(
            against(short, build, version),
            Verdict::Outdated,
            "{short} ({build}) {version}"
        );
    }
}

#[test]
fn a_newer_release_is_newer() {
    for (short, build, version) in [
        ("1.35001.0", "", "1.34493.1,255293a41a25d54c5177aa9614fb4cd620e70b78"),
        ("16.113", "16.113.26090812", "16.112.26081720"),
        ("7.1.5 (90000)", "", "7.1.5.84650"),
        ("154.0.1", "", "154.0"),
    ] {
        assert_eq!(against(short, build, version), Verdict::Newer, "{short} ({build}) {version}");
    }
}

#[test]
fn what_is_counted_differently_is_not_outdated() {
    for (short, build, version) in [
        ("122.0", "", "122.0.1"),
        ("16.112.1", "", "16.112.26081720"),
        ("1.2026.184", "", "26.818.41705"),
        ("", "1", "1.32.1"),
        ("2026-03-05", "", "4.2"),
        ("1.6.00.4464", "", "26149.401.5144.3250"),
        ("6.10.0.252", "6.10.0.252", "6.10.0.252.3"),
    ] {
        let verdict = against(short, build, version);
        assert_eq!(verdict, Verdict::NotComparable, "{short} ({build}) {version}");
    }
}

#[test]
fn a_major_number_alone_does_not_tell_the_release() {
    assert_eq!(against("4", "", "4.51.191"), Verdict::NotComparable);
    assert_eq!(against("15.80.4", "", "15"), Verdict::SameReleaseOtherString);
}

#[test]
fn variables_placeholders_and_zeros_are_no_versions() {
    for text in ["", " ", "0", "0.0", "0.0.0", "$(MARKETING_VERSION)", "latest", "n/a", "unknown"] {
        assert_eq!(usable(Some(text)), None, "{text:?}");
    }
    assert_eq!(usable(Some(" 1.0 ")), Some("1.0"));
}

#[test]
fn a_very_long_version_has_no_order() {
    let parts = |count: usize| vec!["1"; count].join(".");
    let long = format!("1.{}", "2".repeat(63));
    assert_eq!(against(&parts(10), "", "2.0"), Verdict::Outdated);
    for short in [parts(11), long] {
        assert_eq!(against(&short, "", "2.0"), Verdict::NotComparable, "{short}");
        assert_eq!(against("", &short, "2.0"), Verdict::NotComparable, "{short}");
        assert_eq!(against("1.0", &short, "2.0"), Verdict::Outdated, "{short}");
        assert_eq!(against(&short, "", &short), Verdict::Current, "{short}");
        assert_eq!(
            installed(&short, "").order(&installed("2.0", "")),
            Some(Ordering::Equal),
            "{short}"
        );
    }
}

proptest! {
    #[test]
    fn a_version_is_never_older_or_newer_than_itself(version in "[0-9a-z.,()+ _-]{1,24}") {
        let relation = installed(&version, "").relation(&version);
        prop_assert!(matches!(relation, Relation::Same(_)), "{version}: {relation:?}");
    }

    #[test]
    fn what_is_the_same_release_is_never_outdated(
        short in "[0-9]{1,4}(\\.[0-9]{1,4}){0,3}(b[0-9])?",
        build in "[0-9]{1,6}(\\.[0-9]{1,4}){0,3}",
        version in "[0-9]{1,4}(\\.[0-9]{1,4}){0,3}([-,+][0-9]{1,6})?",
    ) {
        let is_older = matches!(installed(&short, &build).relation(&version), Relation::Older(_));
        let is_same = Stated::compare(&short, &version).is_exact()
            && !is_longer_form(&Reading::of(&build), &Reading::of(&short));
        prop_assert!(!(is_older && is_same), "{short} ({build}) and {version}");
    }

    #[test]
    fn any_text_is_compared(short in ".{0,40}", build in ".{0,40}", version in ".{0,40}") {
        let row = InstalledApp {
            short_version: Some(short),
            build: Some(build),
            ..InstalledApp::default()
        };
        InstalledVersion::of(&row).relation(&version);
    }
}
