//! Runs the load generator against a small test server.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use appstitch_load::{Measurement, Plan};

/// Calls `answer` for every request, and counts the requests.
fn serve(answer: fn(&mut TcpStream, &str)) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, count) = (stream.unwrap(), Arc::clone(&count));
            std::thread::spawn(move || {
                let lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let mut first = String::new();
                for line in lines.map_while(Result::ok) {
                    if first.is_empty() {
                        first = line;
                    } else if line.is_empty() {
                        count.fetch_add(1, Ordering::Relaxed);
                        answer(&mut stream, &std::mem::take(&mut first));
                    }
                }
            });
        }
    });
    (address, asked)
}

fn plan(address: SocketAddr) -> Plan {
    Plan {
        address,
        requests: vec![b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_vec()],
        connections: 3,
        fresh_connections: false,
        expects_missing: false,
        pause: None,
        duration: Duration::from_secs(1),
        core: 0,
    }
}

fn run(plan: &Plan) -> std::io::Result<Measurement> {
    appstitch_load::run(plan, || ()).map(|(measurement, _)| measurement)
}

fn write(stream: &mut TcpStream, bytes: &[u8]) {
    // The generator may close the connection in the middle of a response when its time is up.
    let _ = stream.write_all(bytes);
}

#[test]
fn every_answer_counts_however_it_comes() {
    let (address, asked) = serve(|stream, _| {
        write(stream, b"HTTP/1.1 200 OK\r\ncontent-");
        std::thread::sleep(Duration::from_millis(1));
        write(stream, b"length: 3000000\r\n\r\n");
        write(stream, &vec![b'x'; 3_000_000]);
    });
    let measurement = run(&plan(address)).unwrap();
    let responses = measurement.responses;
    assert!(responses > 3, "{responses}");
    // Each connection sent one request before the run, and may have a late one after it.
    assert!((responses + 3..=responses + 6).contains(&asked.load(Ordering::Relaxed)));
    assert!(measurement.percentile(50.0) >= Duration::from_millis(1));
    assert!(measurement.percentile(50.0) <= measurement.percentile(99.0));
}

#[test]
fn requests_are_asked_in_turn() {
    let (address, _) = serve(|stream, first| {
        let status = if first.contains("/bad") { "404 Not Found" } else { "200 OK" };
        write(stream, format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").as_bytes());
    });
    let mut plan = plan(address);
    plan.requests.push(b"GET /other HTTP/1.1\r\n\r\n".to_vec());
    assert!(run(&plan).is_ok());
    plan.requests.push(b"GET /bad HTTP/1.1\r\n\r\n".to_vec());
    let error = run(&plan).unwrap_err();
    assert_eq!(error.to_string(), "unexpected status 404");
}

#[test]
fn pauses_make_fewer_requests() {
    let (address, asked) =
        serve(|stream, _| write(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    let paced = Plan { pause: Some(Duration::from_hours(1)), ..plan(address) };
    assert!(run(&paced).unwrap().responses <= 3);
    assert!(asked.load(Ordering::Relaxed) <= 6);
    let paced = Plan { pause: Some(Duration::from_millis(5)), ..plan(address) };
    assert!(run(&paced).unwrap().responses > 3);
}

#[test]
fn what_goes_wrong_ends_the_run() {
    let (address, _) = serve(|stream, _| stream.shutdown(std::net::Shutdown::Both).unwrap());
    assert!(run(&plan(address)).is_err(), "the server closes the connection");
    let (address, _) =
        serve(|stream, _| write(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nabc"));
    let error = run(&plan(address)).unwrap_err();
    assert_eq!(error.to_string(), "response longer than its content-length");
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(run(&plan(nobody)).is_err(), "nothing listens");
}
