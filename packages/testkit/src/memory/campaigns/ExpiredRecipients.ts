import { ExpiredRecipients } from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { changedProgress, progressOf } from "./RecipientLedger.ts"

export const layer = Layer.effect(
  ExpiredRecipients,
  Effect.map(Store, (store) =>
    ExpiredRecipients.of({
      find: (now, limit) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.broadcasts)
            .flatMap(({ id, recipientsKeptUntil: until }) =>
              until !== null && DateTime.isLessThanOrEqualTo(until, now) && progressOf(tenant, id).deletedAt === null
                ? [{ id, until }]
                : []
            )
            .toSorted((one, other) => DateTime.Order(one.until, other.until) || (one.id < other.id ? -1 : 1))
            .slice(0, limit)
            .map(({ id }) => id)
        ),
      remove: (id, limit) =>
        store.writeTenant(({ broadcastRecipients }) => {
          const rows = rowAt(broadcastRecipients, id) ?? []
          return [
            Math.min(rows.length, limit),
            { broadcastRecipients: HashMap.set(broadcastRecipients, id, rows.slice(limit)) }
          ]
        }),
      close: (id, deletedAt) =>
        store.writeTenant((tenant) => [
          undefined,
          {
            ...changedProgress(tenant, id, { deletedAt }),
            broadcastWindows: tenant.broadcastWindows.filter(({ broadcastId }) => broadcastId !== id)
          }
        ])
    })
  )
)
