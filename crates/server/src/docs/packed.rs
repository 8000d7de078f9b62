//! Files that the build script compressed. They are unpacked at the first request.

use std::{
    io::{self, Read},
    sync::LazyLock,
};

use bytes::Bytes;
use flate2::read::GzDecoder;

/// A file that is unpacked at its first use.
pub(super) type Unpacked = LazyLock<Bytes>;

/// The packed file of this name.
macro_rules! packed {
    ($name:literal) => {
        LazyLock::new(|| unpack($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".gz"))))
    };
}

pub(super) static ICON: Unpacked = packed!("favicon-32x32.png");
pub(super) static SCRIPT: Unpacked = packed!("swagger-ui-bundle.js");
pub(super) static STYLE: Unpacked = packed!("swagger-ui.css");
pub(super) static REFERENCE: Unpacked = packed!("redoc.html");

/// The bytes of a file. It is part of the binary, so an error is one of the build.
fn unpack(name: &str, packed: &[u8]) -> Bytes {
    read_all(packed).map_or_else(
        |error| {
            tracing::error!(%error, name, "cannot unpack a documentation file");
            Bytes::new()
        },
        Bytes::from,
    )
}

fn read_all(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}
