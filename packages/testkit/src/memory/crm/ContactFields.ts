import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { ContactField, ContactFields, NameTaken } from "@parley/domain/crm"
import { Effect, HashMap, Layer } from "effect"
import { ascending } from "../store/slice.ts"
import { rowAt } from "../store/State.ts"
import { refuse, Store } from "../store/Store.ts"

const notFound = () => new NotFound({ resource: "contact field" })

export const layer = Layer.effect(
  ContactFields,
  Effect.map(Store, (store) =>
    ContactFields.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ contactFields }) => rowAt(contactFields, id)),
          (field) => field !== null,
          notFound
        ),
      all: () =>
        store.readTenant(({ contactFields }) =>
          ascending(HashMap.values(contactFields), ({ id }) => id, { limit: Number.MAX_SAFE_INTEGER, after: null })
        ),
      insert: (field) =>
        store.writeTenant(({ contactFields }) => {
          const other = HashMap.toValues(contactFields).find(({ key }) => key.toLowerCase() === field.key.toLowerCase())
          return other === undefined
            ? [undefined, { contactFields: HashMap.set(contactFields, field.id, field) }]
            : refuse(new NameTaken({ resource: "contact field", id: other.id }))
        }),
      save: (field, expected) =>
        store.writeTenant<ContactField, NotFound | VersionConflict>(({ contactFields }) => {
          const before = rowAt(contactFields, field.id)
          if (before === null) return refuse(notFound())
          if (expected !== null && expected !== before.version) {
            return refuse(new VersionConflict({ current: before.version }))
          }
          const { createdAt, key, type, version } = before
          const after = new ContactField({ ...field, key, type, createdAt, version: version + 1 })
          return [after, { contactFields: HashMap.set(contactFields, field.id, after) }]
        }),
      remove: (id) =>
        store.writeTenant(({ contactFields }) =>
          HashMap.has(contactFields, id)
            ? [undefined, { contactFields: HashMap.remove(contactFields, id) }]
            : refuse(notFound())
        )
    })
  )
)
