//! Encrypted connections, as the URL asks for them, and passwords.

use appstitch_cluster::Cluster;
use appstitch_store::{Store, StoreError};

async fn open(url: &str) -> Result<Store, StoreError> {
    Store::open(&url.parse()?).await
}

#[tokio::test]
async fn the_url_says_what_is_verified() {
    let server = Cluster::start_encrypted();
    let _ = server.database("catalog");
    let root = server.authority();
    let other = tempfile::tempdir().unwrap();
    let url = |host: &str, query: &str| {
        let query = query.replace("ROOT", &root.display().to_string());
        format!("{}?{query}", server.encrypted_url(host, "catalog"))
    };
    for (host, query) in [
        ("localhost", "sslmode=disable"),
        ("localhost", "sslmode=prefer"),
        ("127.0.0.1", "sslmode=require"),
        ("127.0.0.1", "sslmode=verify-ca&sslrootcert=ROOT"),
        ("localhost", "sslmode=verify-full&sslrootcert=ROOT"),
    ] {
        let store =
            open(&url(host, query)).await.unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(store.edition().await.unwrap().number, 0, "{query}");
    }
    for (host, query) in [
        // The certificate is for localhost, and no authority of the system signed it.
        ("127.0.0.1", "sslmode=verify-full&sslrootcert=ROOT"),
        ("localhost", "sslmode=verify-full"),
    ] {
        let error = open(&url(host, query)).await.unwrap_err();
        assert!(matches!(error, StoreError::Postgres(_)), "{query}: {error}");
        assert!(!error.is_temporary() && error.to_string().contains("certificate"), "{error}");
    }
    let missing = other.path().join("missing.pem");
    let query = format!("sslmode=verify-ca&sslrootcert={}", missing.display());
    assert!(matches!(open(&url("localhost", &query)).await, Err(StoreError::Tls(_))));
    let socket = format!("{}&sslmode=require", server.url("catalog"));
    assert!(open(&socket).await.is_ok(), "a socket is not encrypted");
}

#[tokio::test]
async fn a_wrong_password_is_an_error_that_does_not_print_it() {
    let server = Cluster::start_encrypted();
    let url = server.encrypted_url("localhost", "postgres").replace("sesame", "open-barley");
    let error = open(&url).await.unwrap_err();
    assert!(matches!(&error, StoreError::Postgres(why) if why.contains("28P01")), "{error}");
    assert!(!format!("{error} {error:?}").contains("barley"));
    assert!(!error.is_temporary());
}
