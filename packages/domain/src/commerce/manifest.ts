import { defineArea, defineCredentials, seenWith } from "../kernel/index.ts"
import { commerceFilterFields } from "./audience/commerceFilterFields.ts"
import { StoreEvent } from "./Events.ts"
import { commerceHolding } from "./holding/commerceHolding.ts"
import { privacyJob } from "./privacy/privacyJob.ts"
import { removeStoreJob } from "./privacy/removeStoreJob.ts"
import { storeDeliveries } from "./receiving/storeDeliveries.ts"
import { storesReactions } from "./Reactions.ts"
import { parkedCodes } from "./connecting/parkedCode.ts"
import { storeTokens } from "./connecting/secrets.ts"
import { storesStorage } from "./Storage.ts"
import { makeContactsJob } from "./syncing/makeContactsJob.ts"
import { syncJob } from "./syncing/syncJob.ts"
import { storeConnectionUse } from "./usage.ts"
import { storesWorks } from "./work.ts"
import { storeResources } from "./eventResources.ts"

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
