//! `basename` and `dirname`: the parts of a path.

use crate::{Budget, FilterResult, Output, Stopped};

pub(super) fn basename(arguments: &[String], _: &str, budget: &mut Budget) -> FilterResult {
    let arguments: Vec<&str> = operands("basename", arguments)?;
    let (path, suffix) = match arguments.as_slice() {
        [path] => (*path, ""),
        [path, suffix] => (*path, *suffix),
        _ => return Err(Stopped::unsupported("basename", "this number of paths")),
    };
    let name = path.trim_end_matches('/');
    let name = if name.is_empty() && !path.is_empty() { "/" } else { name };
    let name = name.rsplit_once('/').map_or(name, |(_, last)| last);
    let name = if name.is_empty() && !path.is_empty() { "/" } else { name };
    let short = name.strip_suffix(suffix).filter(|short| !short.is_empty()).unwrap_or(name);
    budget.hold(short.len())?;
    Ok(Output::success(format!("{short}\n")))
}

pub(super) fn dirname(arguments: &[String], _: &str, budget: &mut Budget) -> FilterResult {
    let arguments = operands("dirname", arguments)?;
    let [path] = arguments.as_slice() else {
        return Err(Stopped::unsupported("dirname", "this number of paths"));
    };
    let parent = match path.trim_end_matches('/').rsplit_once('/') {
        Some((parent, _)) => match parent.trim_end_matches('/') {
            "" => "/",
            parent => parent,
        },
        None if path.starts_with('/') => "/",
        None => ".",
    };
    budget.hold(parent.len())?;
    Ok(Output::success(format!("{parent}\n")))
}

fn operands<'a>(command: &str, arguments: &'a [String]) -> Result<Vec<&'a str>, Stopped> {
    let mut operands: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match operands.first() {
        Some(&"--") => {
            operands.remove(0);
        }
        Some(option) if option.starts_with('-') && option.len() > 1 => {
            return Err(Stopped::unsupported(command, format_args!("the option {option}")));
        }
        _ => {}
    }
    Ok(operands)
}

#[cfg(test)]
mod tests {
    use crate::text::testing::{refused, text};

    #[test]
    fn the_last_part_of_a_path_is_its_base() {
        assert_eq!(text("basename", &["https://e/App.dmg"], ""), "App.dmg\n");
        assert_eq!(text("basename", &["https://e/App.dmg", ".dmg"], ""), "App\n");
        assert_eq!(text("basename", &[".dmg", ".dmg"], ""), ".dmg\n");
        assert_eq!(text("basename", &["a/b/"], ""), "b\n");
        assert_eq!(text("basename", &["/"], ""), "/\n");
        assert_eq!(text("basename", &[""], ""), "\n");
        assert_eq!(
            refused("basename", &["-a", "b"], ""),
            "basename: the option -a is not supported"
        );
    }

    #[test]
    fn the_rest_of_a_path_is_its_directory() {
        assert_eq!(text("dirname", &["/a/b/c"], ""), "/a/b\n");
        assert_eq!(text("dirname", &["c"], ""), ".\n");
        assert_eq!(text("dirname", &["/c"], ""), "/\n");
    }
}
