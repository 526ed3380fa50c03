import { DateTime, Effect } from "effect"
import { idInput, defineArea, defineCredentials, defineEventResource, defineEvents } from "../kernel/index.ts"
import { sweepOrganizations } from "../platform/background/index.ts"
import { defineEventConsumer } from "../platform/events/index.ts"
import { JobEvent } from "../platform/jobs/index.ts"
import { Cart, closedCartRetention, StoreCarts } from "./Cart.ts"
import { ContactCommerceRecords } from "./ContactCommerce.ts"
import { CartId, OrderId, PrivacyRequestId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { Order, StoreOrders } from "./Order.ts"
import { PrivacyRequest, PrivacyRequests } from "./PrivacyRequest.ts"
import { StoreProducts } from "./Product.ts"
import { SkippedRecords } from "./SkippedRecords.ts"
import { StoreAuthorizationRedemption, StoreAuthorizations } from "./StoreAuthorizations.ts"
import { StoreConnectionView } from "./StoreConnection.ts"
import { scheduleStoreLane, StoreConnections, StoreDirectory } from "./StoreConnections.ts"
import { StoreCustomer, StoreCustomers } from "./StoreCustomer.ts"
import { StaleRecords } from "./StaleRecords.ts"
import { commerceFilterFields } from "./commerceFilterFields.ts"
import { commerceData } from "./commerceData.ts"
import { parkedCodes, storeTokens } from "./connecting/storeSecrets.ts"
import { sweepPendingConnections } from "./connectionChanges.ts"
import { StoreEvent } from "./events.ts"
import { privacyJob } from "./privacy/privacyJob.ts"
import { sweepPrivacyRequests } from "./privacy/receivedRequests.ts"
import { removeStoreJob, sweepUninstalled } from "./privacy/storeRemoval.ts"
import { makeContactsJob } from "./receiving/receiveCustomers.ts"
import { storeDeliveries } from "./receiving/receiveSignals.ts"
import { renewIdleTokens } from "./shopAccess.ts"
import { SyncSeenRecords } from "./syncing/SyncSeenRecords.ts"
import { storeLaneWorker } from "./syncing/storeLaneWorker.ts"
import { syncJob } from "./syncing/syncJob.ts"
import { getCart, getOrder } from "./use-cases/commerceRecords.ts"
import { getPrivacyRequest } from "./use-cases/privacyRequests.ts"
import { getStoreConnection } from "./use-cases/storeConnections.ts"
import { getStoreCustomer } from "./use-cases/storeCustomers.ts"

/** Larger than the limit of any plan. */
const maxStores = 1_000

/** Ends the sync of a store if its job ended without finishing the sync. */
const endSyncOnJobEnd = defineEventConsumer({
  name: "stores.end_syncs",
  schema: JobEvent,
  events: ["job.finished"],
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const ended = new Set<string>(
      events.flatMap(({ event: { jobId, kind, state } }) =>
        kind === syncJob.name && state !== "succeeded" ? [jobId] : []
      )
    )
    if (ended.size === 0) return
    const connections = yield* StoreConnections
    for (const { id } of yield* connections.list(null, { limit: maxStores, after: null })) {
      const sync = (yield* connections.lock(id))?.sync
      if (sync?.state !== "running" || sync.jobId === null || !ended.has(sync.jobId)) continue
      yield* connections.keepProgress(id, { sync: { ...sync, state: "failed" } })
      yield* scheduleStoreLane(id, yield* DateTime.now)
    }
  })
})

export const storesEventConsumers = [endSyncOnJobEnd] as const

const storesStorage = [
  ContactCommerceRecords,
  PrivacyRequests,
  SkippedRecords,
  StoreAuthorizationRedemption,
  StoreAuthorizations,
  StoreCarts,
  StoreConnections,
  StoreCustomers,
  StoreDirectory,
  StaleRecords,
  StoreOrders,
  StoreProducts,
  SyncSeenRecords
] as const

/** Uninstalled stores do not count against the plan. */
const storeConnectionUsage = {
  limit: "storeConnections",
  lock: "store_connections",
  count: Effect.flatMap(StoreConnections, (connections) => connections.count())
} as const

const sweepCarts = Effect.gen(function* () {
  const endedBy = DateTime.subtractDuration(yield* DateTime.now, closedCartRetention)
  return yield* (yield* StoreCarts).sweep(endedBy)
})

/**
 * Updates stores and processes the privacy requests of shops. Deletes closed carts, expired states, pending connections without consent, and stores
 * that uninstalled the app long ago. Renews idle tokens.
 */
const storesTasks = [
  storeLaneWorker,
  sweepOrganizations("closed carts", sweepCarts),
  sweepOrganizations(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepOrganizations("store access", renewIdleTokens),
  sweepOrganizations("pending stores", sweepPendingConnections),
  sweepOrganizations("uninstalled stores", sweepUninstalled),
  sweepOrganizations("privacy requests", sweepPrivacyRequests, "housekeeping")
] as const

/** Resources in the events of this area, in the format of GET responses. */
const storeResources = [
  defineEventResource("cart", getCart, Cart, idInput("cartId", CartId)),
  defineEventResource("customer", getStoreCustomer, StoreCustomer, idInput("storeCustomerId", StoreCustomerId)),
  defineEventResource("order", getOrder, Order, idInput("orderId", OrderId)),
  defineEventResource(
    "privacy_request",
    getPrivacyRequest,
    PrivacyRequest,
    idInput("privacyRequestId", PrivacyRequestId)
  ),
  defineEventResource(
    "store_connection",
    getStoreConnection,
    StoreConnectionView,
    idInput("storeConnectionId", StoreConnectionId)
  )
] as const

export const storesArea = defineArea({
  name: "commerce",
  storage: storesStorage,
  events: defineEvents(StoreEvent, {
    "store_connection.connected": "commerce.read",
    "store_connection.updated": "commerce.read",
    "store_connection.status_changed": "commerce.read",
    "store_connection.synced": "commerce.read",
    "store_connection.removed": "commerce.read",
    "customer.linked": "commerce.read",
    "customer.unlinked": "commerce.read",
    "order.created": "commerce.read",
    "order.paid": "commerce.read",
    "order.fulfilled": "commerce.read",
    "order.cancelled": "commerce.read",
    "order.refunded": "commerce.read",
    "cart.abandoned": "commerce.read",
    "cart.recovered": "commerce.read",
    "privacy_request.received": "store_connections.manage",
    "privacy_request.due": "store_connections.manage",
    "privacy_request.done": "store_connections.manage"
  }),
  permissions: ["store_connections.read", "store_connections.manage", "commerce.read"],
  jobs: [syncJob, makeContactsJob, privacyJob, removeStoreJob],
  eventConsumers: storesEventConsumers,
  backgroundTasks: storesTasks,
  contactFilterFields: commerceFilterFields,
  contactDataOwners: [commerceData],
  deliverySources: [storeDeliveries],
  limitUses: [storeConnectionUsage],
  sealedValues: [...storeTokens, parkedCodes],
  credentials: defineCredentials(
    {
      name: "store authorization state",
      parent: { kind: "record", name: "store connection", reason: "It parks a code for that store only, once." }
    },
    {
      name: "store journey code",
      parent: { kind: "record", name: "starter", reason: "Only the starter completes it, with the verifier." }
    }
  ),
  eventResources: storeResources
})
