use super::*;

fn parse(text: &str) -> Result<UpstreamConfig, String> {
    UpstreamConfig::parse(text, Path::new("/etc/appstitch/config.toml"))
}

fn why(text: &str) -> String {
    parse(text).unwrap_err()
}

#[test]
fn the_built_in_configuration_fetches_all_sources() {
    let config = UpstreamConfig::built_in().unwrap();
    assert!(config.addresses().count() >= 4);
    assert!(config.addresses().all(|(_, address)| address.starts_with("https://")));
    for source in appstitch_types::Source::ALL {
        assert!(config.fetches(source.into()), "{source:?}");
    }
    assert!(config.titles().is_none() && !config.has_intervals());
}

#[test]
fn a_file_without_sources_adds_to_the_built_in_ones() {
    let titles = "[titles]\nserver = \"https://example.jamfcloud.com\"\nclient_id = \"a\"\n\
                  client_secret_file = \"secret\"\nevery = \"2d\"\n";
    let config = parse(titles).unwrap();
    let built_in = UpstreamConfig::built_in().unwrap();
    assert!(config.addresses().eq(built_in.addresses()));
    assert_eq!(config.lookup().unwrap().country, "us");
    let settings = config.titles().unwrap();
    assert_eq!(settings.secret, SecretPlace::File("/etc/appstitch/secret".into()));
    assert_eq!(config.every(Upstream::MdmInstaller, None), Duration::from_hours(48));
    assert!(config.has_intervals());

    let config = parse("[sources]\ncask_catalog = [\"https://example.com/cask.json\"]").unwrap();
    assert_eq!(config.upstreams().collect::<Vec<_>>(), [Upstream::CaskCatalog]);
    let country = parse("[store_listings]\ncountry = \"DE\"").unwrap();
    assert_eq!(country.lookup().unwrap().country, "de");
}

#[test]
fn each_source_has_its_interval() {
    let text = "[sources]\nlabel_tool = { addresses = [\"https://example.com/a\"], every = \"2h\" }\n\
                cask_catalog = [\"https://example.com/b\"]\nstore_listing = []";
    let config = parse(text).unwrap();
    let (hour, day) = (Duration::from_hours(1), Duration::from_hours(24));
    assert_eq!(config.every(Upstream::LabelTool, Some(day)), 2 * hour);
    assert_eq!(config.every(Upstream::CaskCatalog, None), hour);
    assert_eq!(config.every(Upstream::CaskCatalog, Some(6 * hour)), 6 * hour);
    assert_eq!(config.every(Upstream::StoreListing, Some(6 * hour)), day);
    assert_eq!(config.every(Upstream::StoreListing, Some(7 * day)), 7 * day);
    let short = "[sources]\nlabel_tool = { addresses = [], every = \"5s\" }";
    assert!(why(short).contains("at least 1m"), "{}", why(short));
}

#[test]
fn unknown_keys_are_told_with_the_nearest_one() {
    for (text, nearest) in [
        ("[sources]\ncask_catalogue = []", "'cask_catalog'"),
        ("[source]\ncask_catalog = []", "'sources'"),
        ("[store_listings]\ncontry = \"us\"", "'country'"),
        ("[titles]\nservers = \"https://example.com\"", "'server'"),
        ("[sources.cask_catalog]\naddress = []", "'addresses'"),
    ] {
        let why = why(text);
        assert!(why.contains(&format!("did you mean {nearest}?")), "{why}");
    }
    assert!(why("[sources]\nxyz = []").contains("expected one of label_tool"));
}

#[test]
fn wrong_values_are_rejected() {
    for (text, key) in [
        ("[sources]\ncask_catalog = 1", "cask_catalog"),
        ("[sources]\ncask_catalog = [1]", "cask_catalog"),
        ("sources = 1", "sources"),
        ("[store_listings]\ncountry = \"usa\"", "country"),
        ("[store_listings]\naddress = \"ftp://example.com\"", "address"),
        ("[titles]\nclient_id = \"a\"", "server"),
        ("[titles]\nserver = \"https://example.com\"\nclient_id = \"a\"", "client_secret_file"),
        ("[patch_lists]\nall = \"a\"", "all"),
    ] {
        assert!(why(text).contains(key), "{}", why(text));
    }
    let lists = parse("[patch_lists]\nall = [\"a\", \"b\"]").unwrap();
    assert_eq!(lists.patch_lists()["all"], ["a", "b"]);
}

#[test]
fn a_password_or_secret_is_rejected_and_not_printed() {
    for value in [
        "[\"https://user:sesame@example.com/cask.json\"]",
        "[\"https:user:sesame@example.com/cask.json\"]",
        "\"https://user:sesame@example.com/cask.json\"",
        "[\"https://user:sesame@example.com/cask.json\"",
        "[\"https://example.com/a.json\", \"https://user:sesame@example.com/b.json\"",
    ] {
        let why = why(&format!("[sources]\ncask_catalog = {value}"));
        assert!(!why.contains("sesame"), "{why}");
    }
    for text in [
        "[titles]\nclient_secret = \"sesame-sesame-sesame\"",
        "[titles]\nclient_secret = \"sesame-sesame-sesame",
        "[titles]\nserver = \"https://user:sesame@example.com\"\nclient_id = \"a\"",
    ] {
        let why = why(text);
        assert!(!why.contains("sesame"), "{why}");
    }
    assert!(why("[titles]\nclient_secret = \"a\"").contains("client_secret_file"));
}

#[test]
fn a_secret_is_read_from_its_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "sesame-sesame-sesame\n").unwrap();
    let file = folder.path().join("config.toml");
    let text = |name: &str| {
        format!(
            "[titles]\nserver = \"https://example.com\"\nclient_id = \"a\"\n\
             client_secret_file = \"{name}\"\n"
        )
    };
    std::fs::write(&file, text("secret")).unwrap();
    let config = UpstreamConfig::read(Some(&file)).unwrap();
    let server = config.titles().unwrap().with_secret().unwrap();
    assert_eq!(server.secret.reveal(), "sesame-sesame-sesame");
    assert!(!format!("{config:?} {server:?}").contains("sesame"));
    std::fs::write(&file, text("missing")).unwrap();
    let config = UpstreamConfig::read(Some(&file)).unwrap();
    assert!(config.titles().unwrap().with_secret().is_err());
}
