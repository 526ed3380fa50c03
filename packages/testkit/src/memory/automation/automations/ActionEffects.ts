import { ActionEffects, type ActionKey } from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const nameOf = ({ runId, step, visit }: ActionKey) => JSON.stringify([runId, step, visit])

export const layer = Layer.effect(
  ActionEffects,
  Effect.map(Store, (store) =>
    ActionEffects.of({
      find: (key) => store.readTenant(({ actionEffects }) => rowAt(actionEffects, nameOf(key))?.effect ?? null),
      add: (key, effect, at) =>
        store.writeTenant(({ actionEffects }) =>
          HashMap.has(actionEffects, nameOf(key))
            ? [false, {}]
            : [true, { actionEffects: HashMap.set(actionEffects, nameOf(key), { effect, at }) }]
        ),
      sweep: (before, limit) =>
        store.writeTenant(({ actionEffects }) => {
          const old = HashMap.toEntries(actionEffects)
            .filter(([, { at }]) => DateTime.isLessThan(at, before))
            .slice(0, limit)
          return [old.length, { actionEffects: old.reduce((all, [name]) => HashMap.remove(all, name), actionEffects) }]
        }),
      forget: (contactIds) =>
        store.writeTenant(({ actionEffects }) => [
          undefined,
          {
            actionEffects: HashMap.filter(
              actionEffects,
              ({ effect: { id, kind } }) => kind !== "contact" || !contactIds.some((contactId) => contactId === id)
            )
          }
        ])
    })
  )
)
