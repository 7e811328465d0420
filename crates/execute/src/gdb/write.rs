//! Writes variables and members of nodes.

use memory::{Entity, Place, Value};

use super::GdbExecutor;
use super::snapshot::Snapshot;
use crate::ExecuteError;
use crate::entity::{encode, find_object, find_spot, put_bits};

impl GdbExecutor {
    /// Writes `value` to what `entity` names.
    pub(super) fn write_entity(&mut self, entity: &Entity, value: &Value) -> Result<(), ExecuteError> {
        let state = self.read_state()?;
        let (address, bytes) = self.with_snapshot(|layout, snapshot| {
            let spot = find_spot(layout, snapshot, &state, entity)?;
            let unknown = || ExecuteError::NoSuchEntity(format!("{entity} is nowhere in the program's memory now"));
            let address = snapshot.address_of(spot.object).ok_or_else(unknown)? + spot.offset;
            let address_of = |place: &Place| {
                let (object, offset) = find_object(layout, snapshot, &state, place)?;
                target_address(snapshot, place, object).map(|base| base.wrapping_add_signed(offset))
            };
            let bytes = encode(&layout.types, spot.ty, spot.bits, value, &address_of)?;
            Ok((address, (bytes, spot.bits)))
        })??;
        let (mut bytes, bits) = bytes;
        if let Some((start, width)) = bits {
            let length = (usize::from(start) + usize::from(width)).div_ceil(8);
            let mut storage = self.process.read(address, length);
            put_bits(&mut storage, (start, width), &bytes);
            bytes = storage;
        }
        self.state = None;
        self.keep_constants(address, bytes.len() as u64);
        self.process.write(address, &bytes)
    }
}

fn target_address(
    snapshot: &Snapshot<'_>,
    place: &Place,
    object: crate::entity::SpotObject,
) -> Result<u64, ExecuteError> {
    let missing = || ExecuteError::WrongValue(format!("{place} has no address now"));
    snapshot.address_of(object).ok_or_else(missing)
}
