//! From an empty store to a full catalog: all upstreams together, with their faults.

use std::{
    io::Read,
    path::Path,
    time::{Duration, Instant},
};

use appstitch_upstreams::{
    Delivery, Etag, Fault, FileHost, HostedFile, JamfServer, JamfState, LookupServer, LookupState,
    TooMany,
};
use serde_json::Value;

use crate::{
    real_data::{self, all_apps},
    support::{TOKEN, TestServer},
};

fn unpacked(file: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    let packed = std::fs::File::open(file).unwrap();
    flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut content).unwrap();
    content
}

fn results(file: &Path) -> Vec<Value> {
    let page: Value = serde_json::from_slice(&unpacked(file)).unwrap();
    page["results"].as_array().unwrap().clone()
}

struct Upstreams {
    files: FileHost,
    titles: JamfServer,
    listings: LookupServer,
    /// The addresses of the files by source.
    addresses: Vec<(&'static str, String)>,
}

impl Upstreams {
    fn start(data: &Path) -> Self {
        let files = FileHost::start().unwrap();
        let hosted = |name: &str| HostedFile::new(std::fs::read(data.join(name)).unwrap());
        let labels = HostedFile {
            delivery: Delivery::Chunked,
            faults: [Fault::status(503, &[])].into(),
            ..hosted("label_tool/labels.tar.gz")
        };
        files.serve("/codeload/labels.tar.gz", labels);
        let labels = files.redirect("/archive/main.tar.gz", "/codeload/labels.tar.gz");
        let findings = HostedFile {
            delivery: Delivery::Chunked,
            faults: [Fault::Delivered(Delivery::Truncated)].into(),
            ..hosted("label_tool/resolved.tar.gz")
        };
        let casks = HostedFile { etag: Etag::Weak, ..hosted("cask_catalog/cask.json.gz") };
        let recipes = HostedFile {
            etag: Etag::None,
            is_encoded: true,
            faults: [Fault::status(429, &[("retry-after", "1")])].into(),
            ..HostedFile::new(unpacked(&data.join("recipe_index/index.json.gz")))
        };
        let addresses = vec![
            ("label_tool", labels),
            ("label_versions", files.serve("/tracker.tar.gz", findings)),
            ("cask_catalog", files.serve("/api/cask.json", casks)),
            ("recipe_index", files.serve("/v1/index.json", recipes)),
            (
                "mdm_installer",
                files.serve("/titles.html", hosted("mdm_installer/titles.synthetic.html")),
            ),
        ];
        let patch_titles = unpacked(&data.join("mdm_installer/patch_titles.synthetic.xml.gz"));
        let titles = JamfServer::start(JamfState {
            token_uses: 100,
            limited: 2,
            delay: Duration::from_millis(5),
            patch_titles_xml: Some(patch_titles),
            ..JamfState::new(results(&data.join("mdm_installer/titles.synthetic.json.gz")))
        });
        let listings = LookupServer::start(LookupState {
            at_a_time: 150,
            too_many: TooMany::Status(414),
            ..LookupState::new(results(&data.join("store_listing/lookup.json.gz")))
        });
        Self { files, titles: titles.unwrap(), listings: listings.unwrap(), addresses }
    }

    fn write_config(&self, folder: &Path) -> String {
        let JamfState { client_id, secret, .. } = JamfState::new(Vec::new());
        std::fs::write(folder.join("titles-secret"), secret).unwrap();
        let sources: Vec<String> = self
            .addresses
            .iter()
            .map(|(source, address)| format!("{source} = [{address:?}]"))
            .collect();
        let text = format!(
            "[sources]\n{}\n\n[titles]\nserver = {:?}\nclient_id = {client_id:?}\n\
             client_secret_file = \"titles-secret\"\nevery = \"1m\"\n\n\
             [store_listings]\naddress = {:?}\nevery = \"1m\"\n",
            sources.join("\n"),
            self.titles.host.base(),
            self.listings.address(),
        );
        let file = folder.join("config.toml");
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    }
}

fn start(folder: &Path, config: &str) -> TestServer {
    let arguments = ["--no-sample", "--refresh-every", "1m", "--config", config, "--allow-private"];
    TestServer::start(&folder.join("catalog.db"), &arguments, |command| {
        command.env("APPSTITCH_DEPLOY_TOKEN", TOKEN);
    })
}

/// The same files, uploaded.
async fn uploaded(data: &Path) -> TestServer {
    let server = TestServer::empty();
    real_data::upload_all(&server, data).await;
    for (kind, file) in [
        ("label_versions", "label_tool/resolved.tar.gz"),
        ("patch_titles", "mdm_installer/patch_titles.synthetic.xml.gz"),
    ] {
        let body = std::fs::read(data.join(file)).unwrap();
        let response = server.put(&format!("/admin/sources/{kind}"), body).await;
        assert_eq!(response.status, 200, "{response:?}");
    }
    server
}

/// The hash of all served bytes: the entity tag without the time of the revision.
async fn content(server: &TestServer) -> String {
    let etag = server.etag().await;
    // An empty catalog has no hash.
    etag.rsplit('-').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_schedule_fills_an_empty_store_as_uploads_would() {
    let Some(data) = real_data::data() else { return };
    let folder = tempfile::tempdir().unwrap();
    let upstreams = Upstreams::start(&data);
    let config = upstreams.write_config(folder.path());

    // Killed in the middle of the titles, before anything is published.
    let started = Instant::now();
    let mut first = start(folder.path(), &config);
    let limit = Instant::now() + Duration::from_mins(5);
    while upstreams.titles.seen().details.len() < 50 {
        assert!(Instant::now() < limit, "{:?}", upstreams.titles.seen());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    first.kill();
    let asked = upstreams.files.host.requests().len();

    let second = start(folder.path(), &config);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let asked_now = upstreams.files.host.requests().len();
    // On a slow machine, the minute may be over already.
    if started.elapsed() < Duration::from_mins(1) {
        assert_eq!(asked_now, asked, "a restart asks no sooner");
    }
    let expected = uploaded(&data).await;
    let wanted = content(&expected).await;
    let limit = Instant::now() + Duration::from_mins(8);
    while content(&second).await != wanted {
        if Instant::now() > limit {
            let (left, right) = (all_apps(&second).await, all_apps(&expected).await);
            let other = left.iter().zip(&right).find(|(left, right)| left != right);
            let health = second.get("/health").await.json();
            panic!("{} of {} apps; {other:?}; {health}", left.len(), right.len());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(all_apps(&second).await, all_apps(&expected).await);
    let listed = all_apps(&second).await.len();
    assert!(listed > 5000, "{listed}");

    // Nobody is asked for more than is known to be needed.
    let requests = upstreams.files.host.requests();
    let whole = requests.iter().filter(|request| {
        request.path() == "/api/cask.json" && request.header("if-none-match").is_none()
    });
    assert!(whole.count() <= 2, "the killed one and the next");
    assert!(upstreams.listings.take_asked().iter().all(|ids| ids.len() <= 150));
}
