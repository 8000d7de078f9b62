//! The variables of a shell.

use std::{collections::BTreeMap, rc::Rc};

use super::value::Value;
use crate::Stopped;

/// The value of a variable, or why it is unknown.
pub(crate) type Variable = Result<Value, Stopped>;

/// Variables by name. A copy costs nothing until it is changed, and then it copies no value:
/// subshells make many copies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(Rc<BTreeMap<Rc<str>, Rc<Variable>>>);

impl Variables {
    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name).map(|variable| &**variable)
    }

    pub(crate) fn insert(&mut self, name: String, value: Variable) {
        let value = value.map_err(Stopped::shortened);
        Rc::make_mut(&mut self.0).insert(name.into(), Rc::new(value));
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if self.0.contains_key(name) {
            Rc::make_mut(&mut self.0).remove(name);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &Variable> {
        self.0.values().map(|variable| &**variable)
    }

    pub(crate) fn forget(&mut self, stopped: &Stopped) {
        let unknown = Rc::new(Err(stopped.clone()));
        for value in Rc::make_mut(&mut self.0).values_mut() {
            *value = Rc::clone(&unknown);
        }
    }

    pub(crate) fn into_map(self) -> BTreeMap<String, Variable> {
        let map = Rc::unwrap_or_clone(self.0).into_iter();
        map.map(|(name, value)| (name.to_string(), Rc::unwrap_or_clone(value))).collect()
    }
}
