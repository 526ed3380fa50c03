import { normalizeForSearch, NotFound, VersionConflict } from "@parley/domain/kernel"
import {
  matchesPattern,
  type StoredWebhookSubscription,
  WebhookSubscription,
  webhookSubscriptionCursorKey,
  type WebhookSubscriptionId,
  webhookSubscriptionSearchText,
  WebhookSubscriptions
} from "@parley/domain/integrations"
import { Effect, HashMap, Layer } from "effect"
import { ascending, inSortOrder } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const notFound = () => new NotFound({ resource: "webhook subscription" })

/** Adds the circuit state and the last success from the health record. */
const shown = ({ health, subscription }: StoredWebhookSubscription) =>
  new WebhookSubscription({ ...subscription, circuit: health.circuit, lastSuccessAt: health.lastSuccessAt })

const withHealth = (kept: StoredWebhookSubscription): StoredWebhookSubscription => ({
  ...kept,
  subscription: shown(kept)
})

/** Returns the subscriptions that members created. */
const written = (all: Tenant["webhookSubscriptions"]): ReadonlyArray<StoredWebhookSubscription> =>
  Array.from(HashMap.values(all)).filter(({ feature }) => feature === null)

const stored = (
  { webhookSubscriptions }: Tenant,
  id: WebhookSubscriptionId,
  expected: number | null
): StoredWebhookSubscription | Refused<NotFound | VersionConflict> => {
  const kept = rowAt(webhookSubscriptions, id)
  if (kept === null) return refuse(notFound())
  const { version } = kept.subscription
  return expected !== null && version !== expected ? refuse(new VersionConflict({ current: version })) : kept
}

export const layer = Layer.effect(
  WebhookSubscriptions,
  Effect.map(Store, (store) => {
    const find = (id: WebhookSubscriptionId) =>
      store.readTenant(({ webhookSubscriptions }) => {
        const kept = rowAt(webhookSubscriptions, id)
        return kept === null ? null : withHealth(kept)
      })

    return WebhookSubscriptions.of({
      get: (id) =>
        Effect.flatMap(find(id), (kept) =>
          kept === null || kept.feature !== null ? Effect.fail(notFound()) : Effect.succeed(shown(kept))
        ),
      list: ({ event, q, sort, status }, slice) =>
        store.readTenant(({ webhookSubscriptions }) =>
          inSortOrder(
            written(webhookSubscriptions)
              .map(shown)
              .filter(
                (subscription) =>
                  (q === null || webhookSubscriptionSearchText(subscription).includes(normalizeForSearch(q))) &&
                  (status === null || subscription.status === status) &&
                  (event === null || subscription.events.some((pattern) => matchesPattern(event, pattern)))
              ),
            sort,
            (subscription) => webhookSubscriptionCursorKey(sort, subscription),
            slice
          )
        ),
      count: () => store.readTenant(({ webhookSubscriptions }) => written(webhookSubscriptions).length),
      find,
      lock: (id) =>
        store.writeTenant(({ webhookSubscriptions }) => {
          const kept = rowAt(webhookSubscriptions, id)
          return kept === null ? refuse(notFound()) : [withHealth(kept), {}]
        }),
      enabled: () =>
        store.readTenant(({ webhookSubscriptions }) =>
          ascending(
            Array.from(HashMap.values(webhookSubscriptions), withHealth).filter(
              ({ subscription }) => subscription.status === "enabled"
            ),
            ({ subscription }) => subscription.id,
            { limit: Infinity, after: null }
          )
        ),
      insert: (kept) =>
        store.writeTenant(({ webhookSubscriptions }) => [
          undefined,
          { webhookSubscriptions: HashMap.set(webhookSubscriptions, kept.subscription.id, kept) }
        ]),
      save: (subscription, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, subscription.id, expected)
          if (before instanceof Refused) return before
          const kept = {
            ...before,
            subscription: new WebhookSubscription({ ...subscription, version: before.subscription.version + 1 })
          }
          return [
            shown(kept),
            { webhookSubscriptions: HashMap.set(tenant.webhookSubscriptions, subscription.id, kept) }
          ]
        }),
      keep: (id, part) =>
        store.writeTenant(({ webhookSubscriptions }) => [
          undefined,
          { webhookSubscriptions: HashMap.modify(webhookSubscriptions, id, (kept) => ({ ...kept, ...part })) }
        ]),
      countErasure: () =>
        store.writeTenant(({ webhookSubscriptions }) => [
          undefined,
          {
            webhookSubscriptions: HashMap.map(webhookSubscriptions, (kept) => ({
              ...kept,
              erasures: kept.erasures + 1
            }))
          }
        ]),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [undefined, { webhookSubscriptions: HashMap.remove(tenant.webhookSubscriptions, id) }]
        })
    })
  })
)
