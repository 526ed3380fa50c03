import { Automation, type AutomationId, Automations, NotFound, VersionConflict } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { refuse, Refused, Store } from "../store/Store.ts"

const stored = (
  { automations }: Tenant,
  id: AutomationId,
  expected: number | null
): Automation | Refused<NotFound | VersionConflict> => {
  const automation = rowAt(automations, id)
  if (automation === null) return refuse(new NotFound({ resource: "automation" }))
  if (expected !== null && automation.version !== expected) {
    return refuse(new VersionConflict({ current: automation.version }))
  }
  return automation
}

export const layer = Layer.effect(
  Automations,
  Effect.map(Store, (store) =>
    Automations.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ automations }) => rowAt(automations, id)),
          (automation) => automation !== null,
          () => new NotFound({ resource: "automation" })
        ),
      list: (slice) =>
        store.readTenant(({ automations }) => descending(HashMap.values(automations), ({ id }) => id, slice)),
      insert: (automation) =>
        store.writeTenant(({ automations }) => [
          undefined,
          { automations: HashMap.set(automations, automation.id, automation) }
        ]),
      save: (automation, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, automation.id, expected)
          if (before instanceof Refused) return before
          const after = new Automation({ ...automation, createdAt: before.createdAt, version: before.version + 1 })
          return [after, { automations: HashMap.set(tenant.automations, after.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [undefined, { automations: HashMap.remove(tenant.automations, id) }]
        })
    })
  )
)
