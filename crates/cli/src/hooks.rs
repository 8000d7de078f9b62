//! `appstitch hooks`: the webhooks of a running server.

mod show;

use anyhow::anyhow;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};

use crate::{
    arguments::{
        HookAddArguments, HookFormat, HookReplayArguments, HookServerArguments, HooksCommand,
    },
    exit::{Failure, print},
    secrets::{hook_secret, required_deploy_token, secret_in_file},
    upload::{client, exchange},
};

pub(crate) async fn run(command: HooksCommand) -> Result<(), Failure> {
    match command {
        HooksCommand::List(arguments) => {
            let body = ask(&arguments.server, Method::GET, &[], None).await?;
            show::hooks(&body, arguments.json)
        }
        HooksCommand::Add(arguments) => add(arguments).await,
        HooksCommand::Remove(arguments) => {
            ask(&arguments.server, Method::DELETE, &[&arguments.id], None).await?;
            eprintln!("removed {}", arguments.id);
            Ok(())
        }
        HooksCommand::Test(arguments) => {
            let path = [arguments.id.as_str(), "test"];
            let body = ask(&arguments.server, Method::POST, &path, None).await?;
            show::test(&body)
        }
        HooksCommand::Deliveries(arguments) => {
            let path = [arguments.id.as_str(), "deliveries"];
            let body = ask(&arguments.server, Method::GET, &path, None).await?;
            show::deliveries(&body, arguments.json)
        }
        HooksCommand::Replay(arguments) => replay(arguments).await,
        HooksCommand::Enable(arguments) => {
            let path = [arguments.id.as_str(), "enable"];
            ask(&arguments.server, Method::POST, &path, None).await?;
            eprintln!("enabled {}", arguments.id);
            Ok(())
        }
    }
}

async fn add(arguments: HookAddArguments) -> Result<(), Failure> {
    let url = match (&arguments.url, &arguments.url_file) {
        (_, Some(file)) => secret_in_file("URL", file)?,
        (Some(url), None) => url.clone(),
        (None, None) => return Err(Failure::wrong_use(anyhow!("no URL"))),
    };
    let mut settings = json!({
        "url": url,
        "format": arguments.format.word(),
        "filter": {
            "slugs": arguments.slug,
            "vendors": arguments.vendor,
            "kinds": arguments.kind,
            "fields": arguments.field,
        },
    });
    if arguments.rotate_secret {
        settings["rotate_secret"] = true.into();
    } else if let Some(secret) = hook_secret(arguments.secret_file.as_deref())? {
        settings["secret"] = secret.into();
    }
    let path = [arguments.id.as_str()];
    let body = ask(&arguments.server, Method::PUT, &path, Some(settings)).await?;
    eprintln!("saved {}", arguments.id);
    match body["secret"].as_str() {
        None => Ok(()),
        Some(secret) => {
            eprintln!("{} It is not shown again:", purpose(arguments.format));
            print(&format!("{secret}\n"))
        }
    }
}

const fn purpose(format: HookFormat) -> &'static str {
    match format {
        HookFormat::Standard => "The receiver needs this secret to check signatures.",
        HookFormat::Slack | HookFormat::Teams => {
            "Messages are signed with this secret. Slack and Teams do not check signatures; only a proxy of your own needs it."
        }
    }
}

async fn replay(arguments: HookReplayArguments) -> Result<(), Failure> {
    let HookReplayArguments { id, since, server } = arguments;
    let mut url = address(&server, &[&id, "replay"])?;
    url.query_pairs_mut().append_pair("since", &since);
    send(&server, Method::POST, url, None).await?;
    eprintln!("everything since then is sent to {id} again");
    Ok(())
}

async fn ask(
    server: &HookServerArguments,
    method: Method,
    path: &[&str],
    body: Option<Value>,
) -> Result<Value, Failure> {
    send(server, method, address(server, path)?, body).await
}

fn address(server: &HookServerArguments, path: &[&str]) -> Result<Url, Failure> {
    let base = &server.server.server;
    let invalid = || Failure::invalid_server(base);
    let mut url = Url::parse(base).map_err(|_| invalid())?;
    let mut segments = url.path_segments_mut().map_err(|()| invalid())?;
    segments.pop_if_empty().extend(["admin", "hooks"]).extend(path);
    drop(segments);
    Ok(url)
}

async fn send(
    server: &HookServerArguments,
    method: Method,
    url: Url,
    body: Option<Value>,
) -> Result<Value, Failure> {
    let token = required_deploy_token(&server.token)?;
    let mut request = client()?.request(method, url).bearer_auth(token);
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_string());
    }
    let (status, text) = exchange(&server.server.server, request).await?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    if status.is_success() {
        return Ok(body);
    }
    let detail = body["detail"].as_str().unwrap_or("no details");
    let error = anyhow!("the server answered {status}: {detail}");
    Err(match status {
        StatusCode::UNAUTHORIZED => Failure::wrong_deploy_token(),
        StatusCode::CONFLICT | StatusCode::GONE | StatusCode::NOT_FOUND => Failure::no(error),
        StatusCode::UNPROCESSABLE_ENTITY => Failure::wrong_use(error),
        _ => Failure::unreachable(error),
    })
}
