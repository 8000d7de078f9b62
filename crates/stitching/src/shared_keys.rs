//! Hosts and prefixes that many publishers share.
//!
//! They identify no publisher, even if they are below a publisher's host: a page on
//! `sites.google.com` says nothing about Google. A longer key, such as `desktop.github.com`, can
//! still belong to a publisher.

use std::{collections::HashSet, sync::LazyLock};

const HOSTS: &[&str] = &[
    // Source repositories and their pages.
    "bitbucket.io",
    "bitbucket.org",
    "codeberg.org",
    "codeberg.page",
    "gitee.com",
    "github.com",
    "github.io",
    "githubusercontent.com",
    "gitlab.com",
    "gitlab.freedesktop.org",
    "gitlab.gnome.org",
    "gitlab.io",
    "invent.kde.org",
    "launchpad.net",
    "osdn.net",
    "savannah.gnu.org",
    "savannah.nongnu.org",
    "sf.net",
    "sourceforge.io",
    "sourceforge.net",
    "sr.ht",
    // Pages.
    "altervista.org",
    "azurewebsites.net",
    "blogspot.com",
    "carrd.co",
    "code.google.com",
    "docs.google.com",
    "framer.website",
    "free.fr",
    "groups.google.com",
    "gumroad.com",
    "itch.io",
    "medium.com",
    "neocities.org",
    "netlify.app",
    "netlify.com",
    "notion.site",
    "onrender.com",
    "pages.dev",
    "play.google.com",
    "readthedocs.io",
    "reddit.com",
    "sites.google.com",
    "substack.com",
    "tumblr.com",
    "twitter.com",
    "vercel.app",
    "web.app",
    "webflow.io",
    "weebly.com",
    "wikipedia.org",
    "wixsite.com",
    "wordpress.com",
    "x.com",
    // Stores and catalogs of software.
    "apps.apple.com",
    "apps.microsoft.com",
    "archive.org",
    "chrome.google.com",
    "chromewebstore.google.com",
    "formulae.brew.sh",
    "itunes.apple.com",
    "macupdate.com",
    "macupdater.net",
    "marketplace.visualstudio.com",
    "npmjs.com",
    "npmjs.org",
    "pypi.org",
    "steampowered.com",
    // Downloads.
    "akamaized.net",
    "aliyuncs.com",
    "amazonaws.com",
    "appcenter.ms",
    "azureedge.net",
    "b-cdn.net",
    "backblazeb2.com",
    "cdn77.org",
    "cloudflarestorage.com",
    "cloudfront.net",
    "devmate.com",
    "digitaloceanspaces.com",
    "drive.google.com",
    "dropboxusercontent.com",
    "edgekey.net",
    "edgesuite.net",
    "fastly.net",
    "googleapis.com",
    "googleusercontent.com",
    "herokuapp.com",
    "jsdelivr.net",
    "mediafire.com",
    "myqcloud.com",
    "paddle.com",
    "r2.dev",
    "todesktop.com",
    "usercontent.google.com",
    "windows.net",
];

/// Prefixes that tools write into the identifiers of everyone's apps, those of repository hosts, and
/// that of the system, whose components casks quit.
const PREFIXES: &[&str] = &[
    "br.com", "com.altervista", "com.apple", "com.company", "com.electron", "com.example",
    "com.facebook.electron", "com.github", "com.gitlab", "com.google.code", "com.googlecode",
    "com.mycompany", "com.sourceforge", "com.tauri", "com.tauri-apps", "com.todesktop",
    "com.unity", "com.wails", "com.yourcompany", "io.github", "io.gitlab", "jp.co", "jp.ne",
    "kr.co", "net.sourceforge", "org.altervista", "org.chromium", "org.codeberg", "org.gnu",
    "org.nwjs", "org.pythonmac", "org.sourceforge", "org.wxwidgets", "uk.co", "uk.org",
];

pub fn is_shared_host(host: &str) -> bool {
    static SHARED: LazyLock<HashSet<&str>> = LazyLock::new(|| HOSTS.iter().copied().collect());
    SHARED.contains(host)
}

pub fn is_shared_prefix(prefix: &str) -> bool {
    static SHARED: LazyLock<HashSet<&str>> = LazyLock::new(|| PREFIXES.iter().copied().collect());
    SHARED.contains(prefix)
}
