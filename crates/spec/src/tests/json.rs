//! A table of calls as JSON.

use serde_json::Value as Json;

use super::{Call, TableError, Value};

/// The calls of a JSON array of objects.
pub fn parse_json(text: &str) -> Result<Vec<Call>, TableError> {
    let json: Json = serde_json::from_str(text)
        .map_err(|error| TableError { line: error.line(), message: format!("this is no JSON: {error}") })?;
    let Some(entries) = json.as_array() else {
        return Err(TableError { line: 1, message: "an array of calls is expected".into() });
    };
    entries.iter().enumerate().map(|(index, entry)| call(index + 1, entry)).collect()
}

fn call(line: usize, entry: &Json) -> Result<Call, TableError> {
    let error = |message: String| TableError { line, message };
    let function = entry["call"].as_str().ok_or_else(|| error("the entry has no \"call\"".into()))?.to_string();
    let arguments = entry["arguments"].as_array().ok_or_else(|| error("the entry has no \"arguments\"".into()))?;
    let arguments = arguments
        .iter()
        .map(|argument| value(argument).ok_or_else(|| error(format!("`{argument}` is no number and no array of them"))))
        .collect::<Result<_, _>>()?;
    let result = entry["result"].as_i64().map(i128::from);
    let mut after = vec![];
    for (name, found) in entry["after"].as_object().into_iter().flatten() {
        let Some(Value::List(list)) = value(found) else {
            return Err(error(format!("`{found}` is no array of numbers")));
        };
        after.push((name.clone(), list));
    }
    Ok(Call { line, function, arguments, result, after })
}

fn value(json: &Json) -> Option<Value> {
    match json {
        Json::Null => Some(Value::Null),
        Json::Array(all) => all.iter().map(|one| one.as_i64().map(i128::from)).collect::<Option<_>>().map(Value::List),
        number => number.as_i64().map(|number| Value::Number(number.into())),
    }
}
