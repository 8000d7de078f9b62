//! The yardstick: nginx on one core, serving the same bodies as files.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use crate::run::Failure;

pub(super) struct Nginx {
    process: Child,
    pub(super) address: String,
    folder: PathBuf,
}

impl Nginx {
    /// Starts it on a folder of its own, pinned to a core.
    pub(super) fn start(core: usize) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| Failure(format!("nginx: {error}"));
        let folder = std::env::temp_dir().join(format!("appstitch-nginx-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("files")).map_err(failed)?;
        let port = free_port().map_err(failed)?;
        let address = format!("127.0.0.1:{port}");
        fs::write(folder.join("nginx.conf"), configuration(&folder, &address)).map_err(failed)?;
        let process = Command::new("taskset")
            .args(["-c", &core.to_string(), "nginx", "-g", "daemon off;", "-c"])
            .arg(folder.join("nginx.conf"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        for _ in 0..100 {
            if TcpStream::connect(&address).is_ok() {
                return Ok(Self { process, address, folder });
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(Failure("nginx does not answer".to_owned()))
    }

    /// Puts a body into its folder, plain and packed.
    pub(super) fn put(&self, name: &str, plain: &[u8], packed: &[u8]) -> Result<(), Failure> {
        let file = self.folder.join("files").join(name);
        let packed_file = self.folder.join("files").join(format!("{name}.gz"));
        fs::write(&file, plain)
            .and_then(|()| fs::write(&packed_file, packed))
            .map_err(|error| Failure(format!("{}: {error}", file.display())))
    }
}

/// Tuned as for a busy static site: one process, files kept open, no log.
fn configuration(folder: &Path, address: &str) -> String {
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
  etag on;
  gzip_static on;
  default_type application/json;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen {address};
    root {folder}/files;
    error_page 405 =200 $uri;
    add_header cache-control \"public, max-age=300, stale-while-revalidate=3600\";
    add_header access-control-allow-origin \"*\";
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
        // The process that was started is the master: it ends its worker when it is asked to.
        let id = self.process.id().to_string();
        let _ = Command::new("kill").arg(&id).status();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
