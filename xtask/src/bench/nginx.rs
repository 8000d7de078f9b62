//! nginx on one core, serving the same bodies as files, for comparison.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tempfile::TempDir;

use super::{
    effort::{LOADING, SERVING},
    process::Process,
    scratch,
};
use crate::run::Failure;

/// How a proxy connects to the server behind it.
#[derive(Clone, Copy)]
pub(super) enum Upstream {
    /// The default of nginx: HTTP/1.0, one connection per request.
    Default,
    /// HTTP/1.1 over persistent connections.
    KeepAlive,
}

pub(super) struct Nginx {
    master: Child,
    pub(super) worker: Process,
    pub(super) address: String,
    folder: TempDir,
}

impl Nginx {
    /// Starts nginx with a new folder, on the core of the servers.
    pub(super) fn start() -> Result<Self, Failure> {
        Self::start_with(SERVING, |folder, address| {
            let root = folder.display();
            configuration(
                folder,
                "",
                &format!(
                    "listen {address};
    root {root};
    error_page 405 =200 $uri;
    add_header cache-control \"public, max-age=300, stale-while-revalidate=3600\";
    add_header access-control-allow-origin \"*\";"
                ),
            )
        })
    }

    /// Starts nginx as a proxy in front of a server, on the core of the load.
    pub(super) fn proxy(upstream: &str, kind: Upstream) -> Result<Self, Failure> {
        let (pool, extra) = match kind {
            Upstream::Default => ("", ""),
            Upstream::KeepAlive => {
                ("keepalive 64;", "proxy_http_version 1.1; proxy_set_header Connection \"\";")
            }
        };
        let pool = format!("upstream behind {{ server {upstream}; {pool} }}");
        Self::start_with(LOADING, |folder, address| {
            configuration(
                folder,
                &pool,
                &format!(
                    "listen {address};
    location / {{ proxy_pass http://behind; {extra} }}"
                ),
            )
        })
    }

    fn start_with(
        core: usize,
        configure: impl FnOnce(&Path, &str) -> String,
    ) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure(format!("nginx: {error}"));
        let folder = scratch()?;
        let address = format!("127.0.0.1:{}", free_port().map_err(failed)?);
        let settings = configure(folder.path(), &address);
        let settings_file = folder.path().join("nginx.conf");
        fs::write(&settings_file, settings).map_err(failed)?;
        let master = Command::new("taskset")
            .args(["-c", &core.to_string(), "nginx", "-g", "daemon off;", "-c"])
            .arg(settings_file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        for _ in 0..100 {
            // The port is open before the worker runs.
            if TcpStream::connect(&address).is_ok()
                && let Some(worker) = Process::new(master.id()).child()
            {
                return Ok(Self { master, worker, address, folder });
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(Failure("nginx did not start in time".to_owned()))
    }

    /// Writes a body to its folder; the name of a compressed body ends with `.gz`.
    pub(super) fn put(&self, name: &str, body: &[u8]) -> Result<(), Failure> {
        let path = self.folder.path().join(name);
        fs::write(&path, body).map_err(|error| Failure(format!("{}: {error}", path.display())))
    }
}

/// Tuned for a busy static site: one process, open files and missing ones cached, no log.
/// `tcp_nopush` sends the head and a small file in one packet, which is faster here.
fn configuration(folder: &Path, upstreams: &str, server: &str) -> String {
    let folder = folder.display();
    format!(
        "worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; use epoll; multi_accept on; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_requests 100000000;
  keepalive_timeout 300;
  open_file_cache max=1000 inactive=600s;
  open_file_cache_valid 600s;
  open_file_cache_errors on;
  etag on;
  gzip_static on;
  default_type application/json;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {upstreams}
  server {{
    {server}
  }}
}}
"
    )
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // This is the master process; it stops its worker.
        let id = self.master.id().to_string();
        let _ = Command::new("kill").arg(&id).status();
        let _ = self.master.wait();
    }
}
