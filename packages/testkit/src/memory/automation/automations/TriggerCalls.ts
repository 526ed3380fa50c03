import { TriggerCalls } from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  TriggerCalls,
  Effect.map(Store, (store) =>
    TriggerCalls.of({
      find: (id) => store.readTenant(({ triggerCalls }) => rowAt(triggerCalls, id) ?? null),
      add: (call) =>
        store.writeTenant(({ triggerCalls }) =>
          HashMap.has(triggerCalls, call.id)
            ? [false, {}]
            : [true, { triggerCalls: HashMap.set(triggerCalls, call.id, call) }]
        ),
      forget: (contactIds) =>
        store.writeTenant(({ triggerCalls }) => [
          undefined,
          { triggerCalls: HashMap.filter(triggerCalls, ({ contactId }) => !contactIds.includes(contactId)) }
        ]),
      sweep: (before, limit) =>
        store.writeTenant(({ triggerCalls }) => {
          const old = HashMap.toValues(triggerCalls)
            .filter(({ at }) => DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [old.length, { triggerCalls: old.reduce((all, { id }) => HashMap.remove(all, id), triggerCalls) }]
        })
    })
  )
)
