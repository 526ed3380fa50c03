import { DateTime, Effect } from "effect"
import { byId, defineArea, defineCredentials, eventResource, seenWith } from "../kernel/index.ts"
import { sweepTenants } from "../platform/background/index.ts"
import { defineSubscriber } from "../platform/events/index.ts"
import { JobEvent } from "../platform/jobs/index.ts"
import { Cart, closedCartsKept, StoreCarts } from "./Cart.ts"
import { CommerceOfContacts } from "./ContactCommerce.ts"
import { CartId, OrderId, PrivacyRequestId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { Order, StoreOrders } from "./Order.ts"
import { PrivacyRequest, PrivacyRequests } from "./PrivacyRequest.ts"
import { StoreProducts } from "./Product.ts"
import { SkippedRecords } from "./SkippedRecords.ts"
import { StoreAuthorizationRedemption, StoreAuthorizations } from "./StoreAuthorizations.ts"
import { StoreConnectionView } from "./StoreConnection.ts"
import { openStoreLane, StoreConnections, StoreDirectory } from "./StoreConnections.ts"
import { StoreCustomer, StoreCustomers } from "./StoreCustomer.ts"
import { StoreMarks } from "./StoreMarks.ts"
import { commerceFilterFields } from "./commerceFilterFields.ts"
import { commerceHolding } from "./commerceHolding.ts"
import { parkedCodes, storeTokens } from "./connecting/storeSecrets.ts"
import { sweepPending } from "./connectionChanges.ts"
import { StoreEvent } from "./events.ts"
import { privacyJob } from "./privacy/privacyJob.ts"
import { sweepPrivacy } from "./privacy/receivedRequests.ts"
import { removeStoreJob, sweepUninstalled } from "./privacy/storeRemoval.ts"
import { makeContactsJob } from "./receiving/receiveCustomers.ts"
import { storeDeliveries } from "./receiving/receiveSignals.ts"
import { renewIdle } from "./shopAccess.ts"
import { StoreSightings } from "./syncing/StoreSightings.ts"
import { storeLanes } from "./syncing/storeLanes.ts"
import { syncJob } from "./syncing/syncJob.ts"
import { getCart, getOrder } from "./use-cases/commerceRecords.ts"
import { getPrivacyRequest } from "./use-cases/privacyRequests.ts"
import { getStoreConnection } from "./use-cases/storeConnections.ts"
import { getStoreCustomer } from "./use-cases/storeCustomers.ts"

/** More stores than any plan has. */
const mostStores = 1_000

/** Keeps that a store is not being read any more where its job has ended before the end of the store. */
const endOfSync = defineSubscriber({
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
    for (const { id } of yield* connections.list(null, { limit: mostStores, after: null })) {
      const sync = (yield* connections.lock(id))?.sync
      if (sync?.state !== "running" || sync.jobId === null || !ended.has(sync.jobId)) continue
      yield* connections.keepProgress(id, { sync: { ...sync, state: "failed" } })
      yield* openStoreLane(id, yield* DateTime.now)
    }
  })
})

/** What this area does about events. */
export const storesReactions = [endOfSync] as const

/** The ports that a storage adapter provides of this area. */
const storesStorage = [
  CommerceOfContacts,
  PrivacyRequests,
  SkippedRecords,
  StoreAuthorizationRedemption,
  StoreAuthorizations,
  StoreCarts,
  StoreConnections,
  StoreCustomers,
  StoreDirectory,
  StoreMarks,
  StoreOrders,
  StoreProducts,
  StoreSightings
] as const

/** Stores that the app was taken out of take no room. */
const storeConnectionUse = {
  limit: "storeConnections",
  lock: "store_connections",
  count: Effect.flatMap(StoreConnections, (connections) => connections.count())
} as const

const sweepCarts = Effect.gen(function* () {
  const endedBy = DateTime.subtractDuration(yield* DateTime.now, closedCartsKept)
  return yield* (yield* StoreCarts).sweep(endedBy)
})

/** Stores are kept up with, and what shops ask about personal data is done. States with which nobody came back from a shop in time are deleted, and so are connections that nobody has agreed to and stores that the app is long gone from; what stores are read with does not end by itself. */
const storesWorks = [
  storeLanes,
  sweepTenants("closed carts", sweepCarts),
  sweepTenants(
    "store authorizations",
    Effect.flatMap(StoreAuthorizations, (authorizations) => authorizations.sweep())
  ),
  sweepTenants("store access", renewIdle),
  sweepTenants("pending stores", sweepPending),
  sweepTenants("uninstalled stores", sweepUninstalled),
  sweepTenants("privacy requests", sweepPrivacy, "housekeeping")
] as const

/** The resources of the events of this area, as GET answers them. */
const storeResources = [
  eventResource("cart", getCart, Cart, byId("cartId", CartId)),
  eventResource("customer", getStoreCustomer, StoreCustomer, byId("storeCustomerId", StoreCustomerId)),
  eventResource("order", getOrder, Order, byId("orderId", OrderId)),
  eventResource("privacy_request", getPrivacyRequest, PrivacyRequest, byId("privacyRequestId", PrivacyRequestId)),
  eventResource(
    "store_connection",
    getStoreConnection,
    StoreConnectionView,
    byId("storeConnectionId", StoreConnectionId)
  )
] as const

/** What this area says of itself. */
export const storesArea = defineArea({
  name: "commerce",
  storage: storesStorage,
  events: seenWith(StoreEvent, {
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
  reactions: storesReactions,
  works: storesWorks,
  contactFilterFields: commerceFilterFields,
  contactHoldings: [commerceHolding],
  deliverySources: [storeDeliveries],
  limitUses: [storeConnectionUse],
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
