//! Signatures, checked by others: the official Python library, and the code in the documentation.

use std::{
    ffi::OsString,
    path::Path,
    process::{Command, Stdio},
};

use appstitch_setup::{PYTHON, installed};
use reqwest::Method;

use super::{
    add, ask,
    receiver::{Received, Receiver},
    server,
};

/// A test message and the secret that signs it.
async fn message(folder: &Path) -> (Received, String) {
    let server = server(&folder.join("catalog.db"));
    let mut receiver = Receiver::start();
    let hook = add(&server, "ops", &receiver).await;
    assert_eq!(ask(&server, Method::POST, "/ops/test", None).await.status, 200);
    let message = receiver.next().await;
    std::fs::write(folder.join("body.json"), &message.text).unwrap();
    (message, hook["secret"].as_str().unwrap().to_owned())
}

/// A block of code in the documentation.
fn documented(language: &str, beginning: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/webhooks.md");
    let text = std::fs::read_to_string(file).unwrap();
    let fence = format!("```{language}\n");
    let mut blocks = text.split(&fence).skip(1);
    let block = blocks.find(|block| block.starts_with(beginning)).unwrap();
    block.split("```").next().unwrap().to_owned()
}

fn run(program: &OsString, code: &str, folder: &Path, message: &Received, secret: &str) -> String {
    let output = Command::new(program)
        .args(["-c", code])
        .current_dir(folder)
        .env("SECRET", secret)
        .env("WEBHOOK_ID", message.id())
        .env("WEBHOOK_TIMESTAMP", &message.headers["webhook-timestamp"])
        .env("WEBHOOK_SIGNATURE", &message.headers["webhook-signature"])
        .stdin(Stdio::null())
        .output();
    let output = output.unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

const HEADERS: &str = r#"
import os
headers = {name: os.environ[name.upper().replace("-", "_")] for name in ("webhook-id", "webhook-timestamp", "webhook-signature")}
body = open("body.json", "rb").read()
"#;

#[tokio::test]
async fn the_official_library_accepts_a_message() {
    let python = installed(PYTHON);
    let folder = tempfile::tempdir().unwrap();
    let (message, secret) = message(folder.path()).await;
    let check = "
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
hook = Webhook(os.environ['SECRET'])
print(hook.verify(body, headers)['type'])
try:
    hook.verify(body + b' ', headers)
except WebhookVerificationError:
    print('and nothing else')
";
    let said = run(&python, &format!("{HEADERS}{check}"), folder.path(), &message, &secret);
    assert_eq!(said, "catalog.test\nand nothing else");
}

#[tokio::test]
async fn the_documented_python_code_tells_genuine_from_forged() {
    let folder = tempfile::tempdir().unwrap();
    let (message, secret) = message(folder.path()).await;
    let python = installed(PYTHON);
    let function = documented("python", "import base64");
    let check = "
print(is_genuine(os.environ['SECRET'], headers, body), is_genuine(os.environ['SECRET'], headers, body + b' '))
";
    let code = format!("{function}{HEADERS}{check}");
    let said = run(&python, &code, folder.path(), &message, &secret);
    assert_eq!(said, "True False");
}

#[tokio::test]
async fn the_documented_shell_code_tells_genuine_from_forged() {
    let folder = tempfile::tempdir().unwrap();
    let (message, secret) = message(folder.path()).await;
    let code = documented("sh", "key=");
    if Command::new("openssl").arg("version").output().is_err() {
        appstitch_setup::missing("openssl is not installed");
    }
    let shell = OsString::from("sh");
    assert_eq!(run(&shell, &code, folder.path(), &message, &secret), "genuine");
    std::fs::write(folder.path().join("body.json"), "{}").unwrap();
    assert_eq!(run(&shell, &code, folder.path(), &message, &secret), "forged");
}
