//! The reading commands make one request per result: two could return different revisions. Only a mark
//! beside a row, whether the app is deprecated, is asked for separately.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
};

use crate::support::Program;

const ENTRY: &str =
    r#"{"slug":"a","name":"A","vendor":null,"versions":[],"leader":null,"laggard":null}"#;

/// A server that responds with this body to every request, and records the requests.
fn serve(body: String) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&requests);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let head = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            let head: Vec<String> = head.take_while(|line| !line.is_empty()).collect();
            noted.lock().unwrap().push(head[0].clone());
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
        }
    });
    (base, requests)
}

#[test]
fn one_answer_is_one_request() {
    let page = format!(r#"{{"total_scanned":1,"total_with_drift":1,"entries":[{ENTRY}]}}"#);
    for (arguments, body) in [
        (&["drift", "--json"][..], page.as_str()),
        (&["drift"], &page),
        (&["drift", "--all", "--json"], &page),
        (&["drift", "a", "--json"], ENTRY),
        (&["drift", "a"], ENTRY),
        (&["drift", "a", "--json"], "null"),
        (&["drift", "a"], "null"),
    ] {
        let (base, requests) = serve(body.to_owned());
        let output = Program::command().args(arguments).args(["--server", &base]).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        if arguments.contains(&"--json") && !arguments.contains(&"--all") {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{body}\n"));
        }
        let requests = requests.lock().unwrap();
        let is_mark = |request: &&String| request.starts_with("GET /apps?deprecated=true&");
        let (marks, results): (Vec<_>, Vec<_>) = requests.iter().partition(is_mark);
        // Without drift, the text says whether the other sources are behind.
        let asks_others = body == "null" && !arguments.contains(&"--json");
        assert_eq!(results.len(), 1 + usize::from(asks_others), "{arguments:?}: {requests:?}");
        let has_marks = body != "null" && !arguments.contains(&"--json");
        assert_eq!(marks.len(), usize::from(has_marks), "{arguments:?}: {requests:?}");
    }
}
