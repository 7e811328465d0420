//! States as JSON; the form is documented in `docs/json.md`.

use serde_json::{Map, Value as Json, json};

use crate::state::{State, Value, Variable};

/// The whole state.
pub fn state_to_json(state: &State) -> Json {
    let frames: Vec<Json> = state
        .frames
        .iter()
        .map(|frame| json!({ "function": &*frame.function, "variables": variables(&frame.variables) }))
        .collect();
    let nodes: Vec<Json> = state
        .nodes
        .iter()
        .map(|node| {
            let mut json = json!({ "name": node.id.to_string(), "type": &*node.type_name, "size": node.size });
            match node.live {
                true => json["value"] = value_to_json(&node.value),
                false => json["freed"] = true.into(),
            }
            json
        })
        .collect();
    json!({ "globals": variables(&state.globals), "frames": frames, "nodes": nodes })
}

fn variables(variables: &[Variable]) -> Vec<Json> {
    let one = |v: &Variable| json!({ "name": &*v.name, "type": &*v.type_name, "value": value_to_json(&v.value) });
    variables.iter().map(one).collect()
}

/// One value.
pub fn value_to_json(value: &Value) -> Json {
    match value {
        Value::Uninitialised => json!({ "uninitialised": true }),
        Value::Unknown => json!({ "unknown": true }),
        Value::Int(n) => match (i64::try_from(*n), u64::try_from(*n)) {
            (Ok(n), _) => n.into(),
            (_, Ok(n)) => n.into(),
            _ => n.to_string().into(),
        },
        Value::Float(x) if x.is_finite() => json!({ "float": x }),
        Value::Float(x) => json!({ "float": x.to_string() }),
        Value::Null => Json::Null,
        Value::Pointer(place) => json!({ "to": place.to_string() }),
        Value::Dangling(place) => json!({ "dangling": place.to_string() }),
        Value::Text(text) => json!({ "text": String::from_utf8_lossy(text) }),
        Value::Function(name) => json!({ "function": &**name }),
        Value::Address(address) => json!({ "address": address }),
        Value::Outside => json!({ "outside": true }),
        Value::Record(members) => {
            let member = |(i, (name, value)): (usize, &(std::sync::Arc<str>, Value))| {
                let name = if name.is_empty() { format!("#{i}") } else { name.to_string() };
                (name, value_to_json(value))
            };
            json!({ "fields": members.iter().enumerate().map(member).collect::<Map<_, _>>() })
        }
        Value::Array(elements, 0) => elements.iter().map(value_to_json).collect(),
        Value::Array(elements, omitted) => {
            json!({ "elements": elements.iter().map(value_to_json).collect::<Vec<_>>(), "omitted": omitted })
        }
        Value::Chars(bytes) => {
            let text: Vec<u8> = bytes.iter().map_while(|b| b.filter(|&b| b != 0)).collect();
            let unwritten = bytes.iter().take(text.len() + 1).any(Option::is_none);
            json!({ "chars": String::from_utf8_lossy(&text), "size": bytes.len(), "ends_unwritten": unwritten })
        }
    }
}
