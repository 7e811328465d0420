//! Declarations of structs, unions, enums and typedefs.

use c_types::{FieldSpec, RecordId, Type, TypeId, Types};

use super::Converter;
use crate::clang::Node;
use crate::type_name::{Scopes, unnamed_key};

impl Converter<'_> {
    pub(super) fn type_declaration(&mut self, node: &Node) {
        match node.kind.kind.as_str() {
            "RecordDecl" => {
                self.record(node);
            }
            "EnumDecl" => self.enumeration(node),
            _ => self.typedef(node),
        }
    }

    fn typedef(&mut self, node: &Node) {
        let Some(name) = node.kind.name.clone() else { return };
        if name == "__builtin_va_list" {
            return;
        }
        // `typedef struct { … } name;`: clang then calls the struct by the typedef's name.
        let owned = unnamed_owner(node);
        self.missed |= owned.is_some_and(|id| !self.unnamed.contains_key(&id));
        if let Some(&ty) = owned.and_then(|id| self.unnamed.get(&id)) {
            if let Type::Record(record) = *self.types.get(ty) {
                self.types.rename_record(record, &name);
            }
            for keyword in ["struct", "union", "enum"] {
                self.scopes.define(&format!("{keyword} {name}"), ty);
            }
        }
        let ty = self.type_of(node);
        self.scopes.define(&name, ty);
        self.name_table.types.define(self.inside(), &name, ty);
    }

    fn record(&mut self, node: &Node) -> TypeId {
        let keyword = node.kind.tag_used.as_deref().unwrap_or("struct");
        let key = match &node.kind.name {
            Some(name) => format!("{keyword} {name}"),
            None => self.place_key(node),
        };
        let record = self.record_for(node, keyword, &key);
        if node.kind.complete_definition && !self.types.record(record).complete {
            self.complete(node, record);
        }
        self.types.record_type(record)
    }

    fn place_key(&self, node: &Node) -> String {
        match &node.kind.loc.expansion_loc {
            // clang names it by the line that `#line` says.
            Some(place) => unnamed_key(place.presumed_line.unwrap_or(place.line), place.col),
            None => unnamed_key(0, 0),
        }
    }

    /// The record of a declaration: the one already known by this name if it
    /// is still incomplete, or else a new one, in this scope.
    fn record_for(&mut self, node: &Node, keyword: &str, key: &str) -> RecordId {
        if let Some(ty) = self.scopes.find(key)
            && let Type::Record(known) = *self.types.get(ty)
            && !(self.types.record(known).complete && node.kind.complete_definition)
        {
            return known;
        }
        let name = node.kind.name.clone().unwrap_or_else(|| "(unnamed)".into());
        let record = self.types.declare_record(&name, keyword == "union");
        let ty = self.types.record_type(record);
        self.scopes.define(key, ty);
        if node.kind.name.is_none() {
            self.unnamed.insert(node.id, ty);
        }
        record
    }

    fn complete(&mut self, node: &Node, record: RecordId) {
        let (mut members, mut packed, mut align) = (Vec::new(), false, None);
        for inner in &node.inner {
            match inner.kind.kind.as_str() {
                "RecordDecl" | "EnumDecl" => self.type_declaration(inner),
                "PackedAttr" => packed = true,
                "AlignedAttr" => align = self.attribute_value(inner),
                "FieldDecl" => {
                    let member = self.field(inner);
                    // Unnamed bit-fields take room but are no members.
                    if !(member.name.is_empty() && member.width.is_some()) {
                        let index =
                            members.iter().filter(|m: &&FieldSpec| !(m.name.is_empty() && m.width.is_some())).count();
                        self.fields.insert(inner.id, (record, index as u32));
                    }
                    members.push(member);
                }
                _ => {}
            }
        }
        self.types.complete_record(record, members, packed, align);
    }

    fn field(&mut self, node: &Node) -> FieldSpec {
        let ty = self.type_of(node);
        let width = node.kind.is_bitfield.then(|| node.inner.first().map_or(0, |n| self.constant(n)) as u8);
        let align = node.inner.iter().find(|n| n.kind.kind == "AlignedAttr").and_then(|n| self.attribute_value(n));
        FieldSpec { name: node.kind.name.clone().unwrap_or_default(), ty, width, align }
    }

    fn attribute_value(&mut self, node: &Node) -> Option<u64> {
        Some(node.inner.first().map_or(16, |n| self.constant(n)) as u64)
    }

    fn enumeration(&mut self, node: &Node) {
        let (mut next, mut least, mut most) = (0, 0, 0);
        for constant in node.inner.iter().filter(|n| n.kind.kind == "EnumConstantDecl") {
            if let Some(value) =
                constant.inner.iter().find(|n| !n.kind.kind.ends_with("Comment") && !n.kind.kind.ends_with("Attr"))
            {
                next = self.constant(value);
            }
            self.constants.insert(constant.id, next);
            if let Some(name) = &constant.kind.name {
                self.name_table.constants.define(self.inside(), name, next);
            }
            (least, most) = (next.min(least), next.max(most));
            next += 1;
        }
        let packed = node.inner.iter().any(|n| n.kind.kind == "PackedAttr");
        let ty = self.types.int(enumeration_size(least, most, packed), least < 0);
        let key = match &node.kind.name {
            Some(name) => format!("enum {name}"),
            None => self.place_key(node),
        };
        self.scopes.define(&key, ty);
        match &node.kind.name {
            Some(_) => self.name_table.types.define(self.inside(), &key, ty),
            None => _ = self.unnamed.insert(node.id, ty),
        }
    }

    /// The value of an integer constant expression.
    pub(super) fn constant(&mut self, node: &Node) -> i128 {
        if let Some(value) = node.kind.value.as_ref().and_then(|value| value.as_str()) {
            return value.parse().unwrap_or(0);
        }
        let expr = self.expr(node);
        crate::fold::fold(&self.types, &expr).unwrap_or(0)
    }
}

/// What clang knows without a declaration.
pub(super) fn declare_builtins(types: &mut Types, scopes: &mut Scopes) {
    let (int, void) = (types.int(4, false), types.void());
    let pointer = types.pointer_to(void);
    let list = types.declare_record("__va_list_tag", false);
    let member = |name: &str, ty| FieldSpec { name: name.into(), ty, width: None, align: None };
    let members = vec![
        member("gp_offset", int),
        member("fp_offset", int),
        member("overflow_arg_area", pointer),
        member("reg_save_area", pointer),
    ];
    types.complete_record(list, members, false, None);
    let list = types.record_type(list);
    scopes.define("struct __va_list_tag", list);
    let array = types.intern(Type::Array(list, Some(1)));
    scopes.define("__builtin_va_list", array);
    for (name, signed) in [("__int128_t", true), ("__uint128_t", false)] {
        let ty = types.int(16, signed);
        scopes.define(name, ty);
    }
    let bool_ = types.intern(Type::Bool);
    scopes.define("bool", bool_);
}

/// Bytes of an enumeration: those of an `int` if that holds its constants, fewer only where it is packed.
fn enumeration_size(least: i128, most: i128, packed: bool) -> u8 {
    let holds = |bytes: &u8| {
        let bits = u32::from(*bytes) * 8 - u32::from(least < 0);
        most < 1 << bits && -(1 << bits) <= least
    };
    let sizes: &[u8] = if packed { &[1, 2, 4] } else { &[4] };
    sizes.iter().copied().find(holds).unwrap_or(8)
}

/// The unnamed record or enumeration that a typedef owns.
fn unnamed_owner(node: &Node) -> Option<clang_ast::Id> {
    node.inner.iter().find_map(|inner| {
        let owned = inner.kind.owned_tag_decl.as_ref().or(inner.kind.decl.as_ref());
        match owned {
            Some(tag)
                if matches!(&*tag.kind, "RecordDecl" | "EnumDecl") && tag.name.as_deref().unwrap_or("").is_empty() =>
            {
                Some(tag.id)
            }
            _ if inner.kind.kind == "ElaboratedType" => unnamed_owner(inner),
            _ => None,
        }
    })
}
