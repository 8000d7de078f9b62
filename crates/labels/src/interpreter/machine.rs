//! What the described Mac answers about itself.

use crate::{Architecture, Mac, Output, Stopped};

const NAMES: [&str; 9] =
    ["arch", "uname", "sw_vers", "sysctl", "defaults", "date", "pgrep", "killall", "pkill"];

/// The answer of a command about the Mac, if the name is one of them.
pub(super) fn answer(
    name: &str,
    arguments: &[String],
    mac: &Mac,
) -> Option<Result<Output, Stopped>> {
    let options: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let about_architecture =
        matches!((name, options.as_slice()), ("arch", []) | ("uname", [] | ["-s" | "-m" | "-p"]));
    if !mac.is_described() && NAMES.contains(&name) && !about_architecture {
        return Some(Err(Stopped::Unsupported(format!("{name}: nothing is known of the Mac"))));
    }
    let answer = match name {
        "arch" => architecture(&options, mac),
        "uname" => kernel(&options, mac),
        "sw_vers" => system(&options, mac),
        "sysctl" => processor(&options, mac),
        "defaults" => return Some(preference(&options, mac)),
        "date" => date(&options, mac),
        // Nothing runs that a label looks for.
        "pgrep" | "killall" | "pkill" => return Some(Ok(Output::status(1))),
        _ => return None,
    };
    Some(match answer {
        Some(text) => Ok(Output::success(text + "\n")),
        None => Err(Stopped::unsupported(name, options.join(" "))),
    })
}

fn architecture(options: &[&str], mac: &Mac) -> Option<String> {
    let name = match mac.architecture {
        Architecture::Arm64 => "arm64",
        Architecture::I386 => "i386",
    };
    options.is_empty().then(|| name.to_owned())
}

fn kernel(options: &[&str], mac: &Mac) -> Option<String> {
    let text = match (options, mac.architecture) {
        ([] | ["-s"], _) => "Darwin",
        (["-r"], _) => &mac.kernel,
        (["-m"], Architecture::Arm64) => "arm64",
        (["-m"], Architecture::I386) => "x86_64",
        (["-p"], Architecture::Arm64) => "arm",
        (["-p"], Architecture::I386) => "i386",
        _ => return None,
    };
    Some(text.to_owned())
}

fn system(options: &[&str], mac: &Mac) -> Option<String> {
    match options {
        ["-productVersion" | "--productVersion"] => Some(mac.version.clone()),
        ["-buildVersion" | "--buildVersion"] => Some(mac.build.clone()),
        ["-productName" | "--productName"] => Some("macOS".to_owned()),
        _ => None,
    }
}

fn processor(options: &[&str], mac: &Mac) -> Option<String> {
    let apple = mac.architecture == Architecture::Arm64;
    match options {
        ["-n", "hw.optional.arm64"] if apple => Some("1".to_owned()),
        ["-n", "machdep.cpu.brand_string"] if apple => Some("Apple M1".to_owned()),
        ["-n", "machdep.cpu.brand_string"] => Some("Intel(R) Core(TM) i7".to_owned()),
        _ => None,
    }
}

/// Of the preferences, only language and region are set.
fn preference(options: &[&str], mac: &Mac) -> Result<Output, Stopped> {
    let (language, region) = (&mac.language, &mac.region);
    match options {
        ["read", ".GlobalPreferences" | "-g" | "NSGlobalDomain", "AppleLocale"] => {
            Ok(Output::success(format!("{language}_{region}\n")))
        }
        ["read", ".GlobalPreferences" | "-g" | "NSGlobalDomain", "AppleLanguages"] => {
            Ok(Output::success(format!("(\n    \"{language}-{region}\"\n)\n")))
        }
        ["read", path, ..]
            if path.starts_with("/Applications/") || path.starts_with("/Library/") =>
        {
            Ok(Output::status(1))
        }
        // An empty name of an app: the rest of the path is at the root, where nothing is.
        ["read", path, ..] if path.starts_with("/Contents/") => Ok(Output::status(1)),
        ["write", ..] => Ok(Output::status(0)),
        _ => Err(Stopped::unsupported("defaults", options.join(" "))),
    }
}

fn date(options: &[&str], mac: &Mac) -> Option<String> {
    let format = match options {
        [format] | ["-u", format] => format.strip_prefix('+')?,
        _ => return None,
    };
    let (year, month, day) = mac.day;
    let mut text = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        let part = match characters.next()? {
            'Y' => year.to_string(),
            'y' => format!("{:02}", year % 100),
            'm' => format!("{month:02}"),
            'd' => format!("{day:02}"),
            'F' => format!("{year}-{month:02}-{day:02}"),
            '%' => "%".to_owned(),
            // The time of the day is not described.
            _ => return None,
        };
        text.push_str(&part);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(mac: &Mac, line: &str) -> Option<String> {
        let mut words = line.split(' ').map(str::to_owned);
        let name = words.next().unwrap();
        let arguments: Vec<String> = words.collect();
        answer(&name, &arguments, mac).unwrap().ok().map(|output| output.text)
    }

    #[test]
    fn a_mac_tells_what_it_is() {
        let apple = Mac::new(Architecture::Arm64);
        let intel = Mac::new(Architecture::I386);
        assert_eq!(answered(&apple, "arch").unwrap(), "arm64\n");
        assert_eq!(answered(&intel, "uname -m").unwrap(), "x86_64\n");
        assert_eq!(answered(&apple, "uname -r").unwrap(), "25.1.0\n");
        assert_eq!(answered(&apple, "sw_vers -buildVersion").unwrap(), "25B78\n");
        assert_eq!(answered(&apple, "date +%Y-%m").unwrap(), "2026-08\n");
        assert_eq!(answered(&apple, "date +%s"), None);
        let any = Mac::any(Architecture::I386);
        assert_eq!(answered(&any, "uname -m").unwrap(), "x86_64\n");
        for line in ["uname -r", "sw_vers -productVersion", "date +%Y", "pgrep App"] {
            assert_eq!(answered(&any, line), None, "{line}");
        }
        assert_eq!(
            answered(&apple, "defaults read .GlobalPreferences AppleLocale").unwrap(),
            "en_US\n"
        );
    }
}
