import { normalizeForSearch, NotFound, VersionConflict } from "@parley/domain/kernel"
import { Broadcast, type BroadcastId, type BroadcastQuery, Broadcasts } from "@parley/domain/campaigns"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { refuse, Refused, Store } from "../store/Store.ts"

const notFound = () => new NotFound({ resource: "broadcast" })

const stored = (
  { broadcasts }: Tenant,
  id: BroadcastId,
  expected: number | null
): Broadcast | Refused<NotFound | VersionConflict> => {
  const broadcast = rowAt(broadcasts, id)
  if (broadcast === null) return refuse(notFound())
  const { version } = broadcast
  return expected === null || expected === version ? broadcast : refuse(new VersionConflict({ current: version }))
}

const isAskedFor =
  ({ chatAccountId, createdFrom, createdTo, q, status }: BroadcastQuery) =>
  (broadcast: Broadcast): boolean =>
    (status === null || broadcast.status === status) &&
    (chatAccountId === null || broadcast.chatAccountId === chatAccountId) &&
    (q === null || normalizeForSearch(broadcast.name).includes(normalizeForSearch(q))) &&
    (createdFrom === null || DateTime.isGreaterThanOrEqualTo(broadcast.createdAt, createdFrom)) &&
    (createdTo === null || DateTime.isLessThan(broadcast.createdAt, createdTo))

export const layer = Layer.effect(
  Broadcasts,
  Effect.map(Store, (store) => {
    const get = (id: BroadcastId) =>
      Effect.filterOrFail(
        store.readTenant(({ broadcasts }) => rowAt(broadcasts, id)),
        (broadcast) => broadcast !== null,
        notFound
      )
    return Broadcasts.of({
      get,
      known: (ids) => store.readTenant(({ broadcasts }) => ids.filter((id) => HashMap.has(broadcasts, id))),
      list: (query, slice) =>
        store.readTenant(({ broadcasts }) =>
          descending(HashMap.toValues(broadcasts).filter(isAskedFor(query)), ({ id }) => id, slice)
        ),
      lock: (id) => Effect.andThen(store.exclusive, get(id)),
      insert: (broadcast) =>
        store.writeTenant(({ broadcasts }) => [
          undefined,
          { broadcasts: HashMap.set(broadcasts, broadcast.id, broadcast) }
        ]),
      save: (broadcast, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, broadcast.id, expected)
          if (before instanceof Refused) return before
          const { createdAt, createdBy, retry, source, stats, version } = before
          const after = new Broadcast({
            ...broadcast,
            createdAt,
            createdBy,
            retry,
            source,
            stats,
            version: version + 1
          })
          return [after, { broadcasts: HashMap.set(tenant.broadcasts, after.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused ? before : [undefined, { broadcasts: HashMap.remove(tenant.broadcasts, id) }]
        })
    })
  })
)
