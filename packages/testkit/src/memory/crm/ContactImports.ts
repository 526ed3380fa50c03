import { NotFound } from "@parley/domain/kernel"
import { ContactImports, StoredImport } from "@parley/domain/crm"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  ContactImports,
  Effect.map(Store, (store) =>
    ContactImports.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ contactImports }) => rowAt(contactImports, id)?.order ?? null),
          (order) => order !== null,
          () => new NotFound({ resource: "contact import" })
        ),
      insert: (order) =>
        store.writeTenant(({ contactImports }) => [
          undefined,
          { contactImports: HashMap.set(contactImports, order.id, { order, faults: [] }) }
        ]),
      addColumns: (id, columns) =>
        store.writeTenant(({ contactImports }) => {
          const row = rowAt(contactImports, id)
          if (row === null) return [undefined, {}]
          const order = new StoredImport({ ...row.order, header: [...row.order.header, ...columns] })
          return [undefined, { contactImports: HashMap.set(contactImports, id, { ...row, order }) }]
        }),
      addFaults: (id, faults) =>
        store.writeTenant(({ contactImports }) => {
          const row = rowAt(contactImports, id)
          return [
            undefined,
            row === null
              ? {}
              : { contactImports: HashMap.set(contactImports, id, { ...row, faults: [...row.faults, ...faults] }) }
          ]
        }),
      faults: (id, after, limit) =>
        store.readTenant(({ contactImports }) =>
          (rowAt(contactImports, id)?.faults ?? []).filter(({ number }) => number > after).slice(0, limit)
        ),
      expectFile: (file, now) =>
        store.writeTenant(({ contactFiles }) => [undefined, { contactFiles: HashMap.set(contactFiles, file, now) }]),
      forgetFile: (file) =>
        store.writeTenant<boolean>(({ contactFiles, contactImports }) =>
          !HashMap.has(contactFiles, file) ||
          HashMap.toValues(contactImports).some(({ order }) => order.fileId === file)
            ? [false, {}]
            : [true, { contactFiles: HashMap.remove(contactFiles, file) }]
        )
    })
  )
)
