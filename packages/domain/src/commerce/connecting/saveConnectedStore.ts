import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { withinLimit } from "../../platform/entitlements/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { Shop } from "../Shop.ts"
import { nextConnectionStatus, neverSynced, StoreConnection } from "../StoreConnection.ts"
import { scheduleStoreLane, StoreConnections } from "../StoreConnections.ts"
import type { StoreGrant } from "../StorePlatform.ts"
import { appendEvent } from "../events.ts"
import { sealGrant } from "./storeSecrets.ts"

const visibleOrderPeriod = { days: 60 } as const

/** Finds the store of a shop. A renamed shop keeps its store. */
const findStore = Effect.fnUntraced(function* (id: StoreConnectionId, { shopId }: Shop) {
  const connections = yield* StoreConnections
  const begun = yield* connections.get(id)
  const same = yield* connections.findByShop(begun.provider, shopId)
  if (same === null || same.id === begun.id) return begun
  if (begun.status === "pending") yield* connections.remove(begun.id, null)
  return same
})

const save = Effect.fnUntraced(function* (connection: StoreConnection) {
  return yield* (yield* StoreConnections).save(connection, null)
})

/** Stores the grant of a shop and the connected status in one commit. */
export const saveConnectedStore = Effect.fnUntraced(
  function* (id: StoreConnectionId, shop: Shop, grant: StoreGrant) {
    yield* (yield* Locks).exclusive("store_connections")
    const connections = yield* StoreConnections
    const before = yield* findStore(id, shop)
    const now = yield* DateTime.now
    const { country, currency, name, shopDomain, shopId } = shop
    const status = nextConnectionStatus(before.status, "connect") ?? before.status
    const connected = new StoreConnection({
      ...before,
      shopId,
      shopDomain,
      name,
      currency,
      country,
      status,
      scopes: grant.scopes,
      ordersSince: grant.scopes.includes("read_all_orders") ? null : DateTime.subtract(now, visibleOrderPeriod),
      lastError: null,
      connectedAt: now,
      uninstalledAt: null,
      removalStartedAt: null,
      updatedAt: now
    })
    yield* connections.claim(connected)
    const saved =
      before.status === "uninstalled"
        ? yield* save(connected).pipe(withinLimit("storeConnections"))
        : yield* save(connected)
    // A concurrent renewal of the previous grant must not overwrite this one.
    yield* connections.lockSecrets(saved.id)
    yield* connections.keepSecrets(saved.id, yield* sealGrant(saved.id, saved.shopDomain, grant))
    // The new grant requires a full sync.
    yield* connections.keepProgress(saved.id, { sync: neverSynced, asOf: null, retry: null })
    yield* scheduleStoreLane(saved.id, now)
    yield* recordAudit(
      "store_connection.connected",
      { kind: "store_connection", id: saved.id },
      {
        before: { status: before.status, shopDomain: before.shopDomain, scopes: before.scopes },
        after: { status, shopDomain, scopes: grant.scopes }
      }
    )
    yield* appendEvent({ type: "store_connection.connected", storeConnectionId: saved.id })
    if (before.status !== status && before.status !== "pending") {
      yield* appendEvent({
        type: "store_connection.status_changed",
        storeConnectionId: saved.id,
        from: before.status,
        to: status
      })
    }
    return saved
  },
  // The lock of stores excludes concurrent changes of a store.
  Effect.catchTag("VersionConflict", Effect.die),
  transact
)
