import { TriggerUrls } from "@parley/domain/automation"
import { Effect, HashMap, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  TriggerUrls,
  Effect.map(Store, (store) =>
    TriggerUrls.of({
      find: (id) => store.readTenant(({ triggerUrls }) => rowAt(triggerUrls, id) ?? null),
      put: (url) =>
        store.writeTenant(({ triggerUrls }) => [
          undefined,
          { triggerUrls: HashMap.set(triggerUrls, url.automationId, url) }
        ]),
      remove: (id) =>
        store.writeTenant(({ triggerUrls }) => [
          HashMap.has(triggerUrls, id),
          { triggerUrls: HashMap.remove(triggerUrls, id) }
        ]),
      signed: (after, limit) =>
        store.readTenant(({ triggerUrls }) =>
          HashMap.toValues(triggerUrls)
            .filter(
              ({ automationId, sealedSecret }) => sealedSecret !== null && (after === null || automationId > after)
            )
            .toSorted((one, other) => (one.automationId < other.automationId ? -1 : 1))
            .slice(0, limit)
        )
    })
  )
)
