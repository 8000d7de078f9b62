//! nginx with the sample configuration.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::Duration,
};

use reqwest::{Method, RequestBuilder, redirect};
use tempfile::TempDir;

use crate::service::support::Response;

/// What the sample configuration says, to be replaced here.
const SAMPLE_ADDRESS: &str = "listen 80;";
const SAMPLE_FOLDER: &str = "/srv/appstitch/edge";

/// A running nginx; it ends when dropped.
pub(crate) struct Nginx {
    process: Child,
    base: String,
    client: reqwest::Client,
    folder: TempDir,
}

impl Nginx {
    /// Serves an export with the sample configuration.
    pub(crate) fn start(export: &Path) -> Self {
        // Somebody else may take a free port before nginx does.
        let started = (0..5).find_map(|_| Self::start_on_free_port(export));
        started.unwrap_or_else(|| panic!("nginx does not answer"))
    }

    fn start_on_free_port(export: &Path) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("127.0.0.1:{port}");
        let settings = configure(folder.path(), &address, export);
        let nginx = || {
            let mut command = Command::new(program());
            command.arg("-p").arg(folder.path()).arg("-c").arg(&settings);
            command
        };
        let tested = nginx().arg("-t").output();
        let tested =
            tested.unwrap_or_else(|why| panic!("nginx: {why}; `cargo xtask test` installs it"));
        assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stderr));
        let process = nginx().spawn().unwrap();
        let client = appstitch_network::client_builder();
        let client = client.no_gzip().no_zstd().redirect(redirect::Policy::none()).build().unwrap();
        let mut started = Self { process, base: format!("http://{address}"), client, folder };
        // For at most a minute.
        for _ in 0..2400 {
            if started.process.try_wait().unwrap().is_some() {
                return None;
            }
            if TcpStream::connect(&address).is_ok() {
                return Some(started);
            }
            thread::sleep(Duration::from_millis(25));
        }
        None
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// The URL of a path.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Response {
        Response::read(request.send().await.unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path)).await
    }

    pub(crate) fn complaints(&self) -> String {
        fs::read_to_string(self.folder.path().join("error.log")).unwrap()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Debian keeps it where services are, which is not on the search path of every user.
fn program() -> &'static str {
    if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" }
}

/// Writes the sample configuration with another address and folder, and the settings around it.
fn configure(folder: &Path, address: &str, export: &Path) -> PathBuf {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nginx-static.conf");
    let sample = fs::read_to_string(sample).unwrap();
    assert_eq!(sample.matches(SAMPLE_ADDRESS).count(), 1);
    let site = sample
        .replace(SAMPLE_ADDRESS, &format!("listen {address};"))
        .replace(SAMPLE_FOLDER, export.to_str().unwrap());
    fs::write(folder.join("site.conf"), site).unwrap();
    let settings = folder.join("nginx.conf");
    // One process, which can read what only its user can.
    let text = "daemon off; master_process off; pid nginx.pid; error_log error.log warn; events { }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  include site.conf;
}
";
    fs::write(&settings, text).unwrap();
    settings
}
