import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { admitting } from "../../platform/entitlements/index.ts"
import { nextId } from "../../kernel/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../ShopDomain.ts"
import { neverSynced, StoreConnection, type StoreConnectionPatch } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Adds a store that nobody has agreed to yet, if the plan has room for it. */
export const addPending = Effect.fnUntraced(function* (
  provider: string,
  shopDomain: ShopDomain,
  { cartAbandonedAfterMinutes = 60, makeContacts = "never", takeConsent = false }: StoreConnectionPatch
) {
  const now = yield* DateTime.now
  const connection = new StoreConnection({
    id: yield* nextId(StoreConnectionId),
    provider,
    shopDomain,
    shopId: null,
    name: shopDomain,
    currency: null,
    country: null,
    status: "pending",
    scopes: [],
    makeContacts,
    takeConsent,
    cartAbandonedAfterMinutes,
    ordersSince: null,
    sync: neverSynced,
    asOf: null,
    fullAsOf: null,
    lastSyncedAt: null,
    lastError: null,
    connectedAt: null,
    uninstalledAt: null,
    retry: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* (yield* StoreConnections).insert(connection).pipe(admitting("storeConnections"))
  yield* record(
    "store_connection.created",
    { kind: "store_connection", id: connection.id },
    { after: { provider, shopDomain, makeContacts, takeConsent, cartAbandonedAfterMinutes } }
  )
  return connection
})
