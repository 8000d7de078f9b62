//! Finds the command that a name stands for, and runs it.

use super::{
    Flow, Input, Interrupt, Shell, Sink, Value, builtins, git, machine, printing, sink::Call,
    statements::FlowResult, test_command, xargs,
};
use crate::{
    Output, Request, Response, Stopped, curl, structured, text,
    trace::{ResponseSummary, Step, shortened},
};

/// What a command costs besides its steps: it may compile a pattern.
const STEPS: usize = 1000;

/// Where a Mac keeps its commands.
const FOLDERS: [&str; 4] = ["/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"];

impl Shell<'_> {
    pub(super) fn command(&mut self, call: Call<'_>, output: &mut Sink) -> FlowResult {
        self.budget.step(1).map_err(Interrupt::Limit)?;
        if let Some(body) = self.functions.get(call.name).cloned() {
            let arguments = std::mem::replace(&mut self.arguments, call.arguments.to_vec());
            let flow = self.run(&body, call.input, output);
            self.arguments = arguments;
            return flow.map(|flow| if flow == Flow::Return { Flow::Next } else { flow });
        }
        if let Some(flow) = self.leave(call)? {
            return Ok(flow);
        }
        if let Some(status) = self.change(call)? {
            self.status = status;
            return Ok(Flow::Next);
        }
        let result = self.execute(call);
        self.show(call, &result);
        match result {
            Ok(printed) => {
                output.push(&printed.text);
                self.status = Ok(printed.status);
                Ok(Flow::Next)
            }
            Err(stopped) if self.is_over() => Err(Interrupt::Limit(stopped)),
            Err(stopped) => {
                output.taint(stopped.clone());
                self.status = Err(stopped);
                Ok(Flow::Next)
            }
        }
    }

    fn show(&mut self, call: Call<'_>, result: &Result<Output, Stopped>) {
        if !self.trace.is_on() {
            return;
        }
        let mut line = call.name.to_owned();
        for argument in call.arguments {
            line.push(' ');
            line.push_str(argument);
        }
        self.trace.step(Step::Command {
            call: shortened(&line),
            input: call.input.as_ref().map_or_else(ToString::to_string, |text| shortened(text)),
            output: match result {
                Ok(printed) => Ok(shortened(&printed.text)),
                Err(stopped) => Err(stopped.to_string()),
            },
            status: result.as_ref().ok().map(|printed| printed.status),
        });
    }

    pub(super) fn execute(&mut self, call: Call<'_>) -> Result<Output, Stopped> {
        let length: usize = call.arguments.iter().map(String::len).sum();
        self.budget.step(STEPS + length / 64)?;
        self.budget.enter()?;
        let result = self.look_up(call);
        self.budget.leave();
        if let Ok(printed) = &result {
            self.budget.hold(printed.text.len())?;
        }
        result.map_err(Stopped::shortened)
    }

    fn look_up(&mut self, call: Call<'_>) -> Result<Output, Stopped> {
        let in_folder = FOLDERS.iter().find_map(|folder| call.name.strip_prefix(folder));
        let name = in_folder.unwrap_or(call.name);
        let arguments = call.arguments;
        if name.contains('/') && self.mac.is_described() {
            // No app is installed, and only apps have commands in other folders.
            return Ok(Output::status(127));
        }
        if let Some(printed) = printing::print(name, arguments, self.budget)? {
            return Ok(printed);
        }
        match name {
            "[" => {
                let Some((last, words)) = arguments.split_last() else {
                    return Ok(Output::status(2));
                };
                if last != "]" {
                    return Err(Stopped::Unsupported("[ without ]".to_owned()));
                }
                return test_command::test(words, self.mac).map(Output::status);
            }
            "test" => return test_command::test(arguments, self.mac).map(Output::status),
            "curl" => return self.curl(call),
            "xargs" => return xargs::run(self, call),
            "downloadURLFromGit" => return git::download_url(self, arguments),
            "versionFromGit" => return git::version(self, arguments),
            "runAsUser" | "command" | "builtin" if in_folder.is_none() => {
                let Some((name, arguments)) = arguments.split_first() else {
                    return Ok(Output::status(0));
                };
                return self.execute(Call { name, arguments, ..call });
            }
            _ => {}
        }
        if let Some(printed) = machine::answer(name, arguments, self.mac) {
            return printed;
        }
        if builtins::SILENT.contains(&name) {
            return Ok(Output::status(0));
        }
        if text::find(name).is_some() || structured::find(name).is_some() {
            return self.filter(name, arguments, call.input);
        }
        // A label that runs a value by mistake, such as a version, fails on every Mac, and so does one
        // that runs what no Mac has.
        let is_value =
            |value: &Result<Value, Stopped>| value.as_ref().is_ok_and(|value| value.is(name));
        let never_a_command = name == "wget"
            || name.starts_with(|first: char| first.is_ascii_digit())
            || self.variables.get(name).is_some()
            || self.variables.values().any(is_value);
        if never_a_command && self.mac.is_described() {
            return Ok(Output::status(127));
        }
        Err(Stopped::Unsupported(format!("the command {name} is not supported")))
    }

    pub(super) fn filter(
        &mut self,
        name: &str,
        arguments: &[String],
        input: &Input,
    ) -> Result<Output, Stopped> {
        let filter = text::find(name).or_else(|| structured::find(name));
        let filter = filter
            .ok_or_else(|| Stopped::Unsupported(format!("the command {name} is not supported")))?;
        let input = input.as_ref().map_err(Clone::clone)?;
        self.budget.step(1 + input.len() / 256)?;
        filter(arguments, input, self.budget)
    }

    fn curl(&mut self, call: Call<'_>) -> Result<Output, Stopped> {
        let printed = curl::run(call.arguments, &mut |request| self.fetch(request))?;
        let mut text = printed.text;
        if call.errors_to_output {
            text.insert_str(0, &printed.errors);
        }
        Ok(Output { text, status: printed.status })
    }

    fn fetch(&mut self, request: Request) -> Result<Response, Stopped> {
        self.budget.request()?;
        let response = self.network.fetch(&request);
        if self.trace.is_on() {
            self.trace.step(Step::Request {
                method: request.method.clone(),
                url: shortened(&request.url),
                response: match &response {
                    Ok(response) => {
                        Ok(ResponseSummary { status: response.status, bytes: response.body.len() })
                    }
                    Err(stopped) => Err(stopped.to_string()),
                },
            });
        }
        self.budget.hold(request.url.len() + request.body.len())?;
        self.requests.push(request);
        if let Ok(response) = &response {
            let headers =
                response.headers.iter().map(|(name, value)| name.len() + value.len() + 64);
            self.budget.hold(response.body.len() + headers.sum::<usize>())?;
        }
        response
    }
}
