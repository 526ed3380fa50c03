import { Schema } from "effect"
import { Currency, Timestamp } from "../kernel/index.ts"
import { JobId, JobProgress } from "../platform/jobs/index.ts"
import { StoreConnectionId } from "./Ids.ts"
import { ShopDomain, ShopDomainInput } from "./Shop.ts"
import { CodeChallenge } from "./StoreAuthorizations.ts"

/** `pending`: nobody has agreed in the shop yet. `error`: the shop does not let us in any more. `uninstalled`: the app is gone there. */
export const StoreConnectionStatus = Schema.Literals(["pending", "connected", "uninstalled", "error"])
export type StoreConnectionStatus = typeof StoreConnectionStatus.Type

interface Transition {
  readonly from: ReadonlyArray<StoreConnectionStatus>
  readonly to: StoreConnectionStatus
}

/** What happens to connections. */
export const connectionTransitions = {
  /** Somebody has agreed in the shop: for the first time, again, or after the app was gone. */
  connect: { from: ["pending", "connected", "error", "uninstalled"], to: "connected" },
  /** The shop refuses what was agreed. */
  lose: { from: ["connected"], to: "error" },
  uninstall: { from: ["connected", "error"], to: "uninstalled" }
} as const satisfies Readonly<Record<string, Transition>>
export type ConnectionTransition = keyof typeof connectionTransitions

/** The status after a transition; `null` if nothing happens in this status. */
export const nextConnectionStatus = (
  from: StoreConnectionStatus,
  transition: ConnectionTransition
): StoreConnectionStatus | null => {
  const { from: before, to }: Transition = connectionTransitions[transition]
  return before.includes(from) ? to : null
}

/** Whether a connection in this status takes room in the plan. */
export const usesPlanCapacity = (status: StoreConnectionStatus): boolean => status !== "uninstalled"

/** Whether the shop is that of whoever has connected it, and nobody else's. */
export const ownsShop = (status: StoreConnectionStatus): boolean => status === "connected" || status === "error"

/** The name of a provider of stores, such as `shopify`: it says which platform a store is on. */
export const StoreProvider = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/u, { message: "Expected the name of a provider, such as shopify" })
).annotate({ identifier: "StoreProvider" })

/** Of which customers contacts are made: of nobody, of whoever has a valid number, or of whoever has agreed to messages besides. */
export const MakeContacts = Schema.Literals(["never", "reachable", "subscribed"])
export type MakeContacts = typeof MakeContacts.Type

/** The parts of a sync, in their order. */
export const SyncPhase = Schema.Literals(["shop", "products", "customers", "orders", "carts", "webhooks"])
export type SyncPhase = typeof SyncPhase.Type

/** How far the import of a store is. */
export const StoreSync = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "failed"]),
  phase: Schema.NullOr(SyncPhase),
  progress: JobProgress,
  jobId: Schema.NullOr(JobId)
}).annotate({ identifier: "StoreSync" })
export type StoreSync = typeof StoreSync.Type

/** Nothing was imported yet. */
export const neverSynced: StoreSync = { state: "never", phase: null, progress: { done: 0, total: null }, jobId: null }

/** What is wrong with a store. `reason` is a sentence for people. */
export const StoreError = Schema.Struct({
  code: Schema.Literals(["access_lost", "scopes_missing", "contacts_limit", "throttled", "unreachable"]),
  reason: Schema.String,
  at: Timestamp
}).annotate({ identifier: "StoreError" })
export type StoreError = typeof StoreError.Type

/** How far what is known of a store can be behind it. */
export const Freshness = Schema.Struct({
  state: Schema.Literals(["live", "catching_up", "stale", "frozen"]),
  asOf: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Freshness" })
export type Freshness = typeof Freshness.Type

const CartAbandonedAfter = Schema.Number.check(
  Schema.isInt({ message: "Expected a whole number" }),
  Schema.isBetween({ minimum: 15, maximum: 10_080 }, { message: "Expected 15 to 10080 minutes" })
)

const viewFields = {
  id: StoreConnectionId,
  provider: StoreProvider,
  shopDomain: ShopDomain,
  /** What the shop calls itself; its address until that is known. */
  name: Schema.String,
  currency: Schema.NullOr(Currency),
  status: StoreConnectionStatus,
  scopes: Schema.Array(Schema.String),
  makeContacts: MakeContacts,
  takeConsent: Schema.Boolean,
  cartAbandonedAfterMinutes: CartAbandonedAfter,
  /** Orders that were placed before are not known. */
  ordersSince: Schema.NullOr(Timestamp),
  sync: StoreSync,
  lastSyncedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(StoreError),
  connectedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}

/** A store of the organization. */
export class StoreConnection extends Schema.Class<StoreConnection>("StoreConnectionRecord")({
  ...viewFields,
  /** The provider's id of the shop, which it keeps when it is renamed. */
  shopId: Schema.NullOr(Schema.String),
  /** Where numbers without a country code are from. */
  country: Schema.NullOr(Schema.String),
  /** When the last whole pass over the shop began. */
  asOf: Schema.NullOr(Timestamp),
  /** When the last sync of everything began that came to its end. */
  fullAsOf: Schema.NullOr(Timestamp),
  uninstalledAt: Schema.NullOr(Timestamp),
  /** Consecutive failures of the lane that reads the store, and the time of its next attempt; null after an answer. */
  retry: Schema.NullOr(Schema.Struct({ failures: Schema.Int, at: Timestamp }))
}) {}

/** A store as it is shown. */
export class StoreConnectionView extends Schema.Class<StoreConnectionView>("StoreConnection")({
  ...viewFields,
  freshness: Freshness,
  /** Number of unreadable records of the shop. */
  skippedRecords: Schema.Int
}) {}

/** URL and expiry of the shop owner's consent page. */
const authorization = { authorizeUrl: Schema.String, authorizeExpiresAt: Timestamp }

/** A store that waits for somebody to agree in the shop. */
export class PendingStoreConnection extends Schema.Class<PendingStoreConnection>("PendingStoreConnection")({
  ...StoreConnectionView.fields,
  ...authorization
}) {}

/** An address to go back to once it is decided in the shop. */
export const ReturnTo = Schema.String.check(
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

const settings = {
  makeContacts: Schema.optionalKey(MakeContacts),
  takeConsent: Schema.optionalKey(Schema.Boolean),
  cartAbandonedAfterMinutes: Schema.optionalKey(CartAbandonedAfter)
}

/** Input from the starter of a journey. */
export const authorizationInputFields = {
  codeChallenge: CodeChallenge.annotateKey({
    description: "PKCE S256 challenge of a verifier that you keep: the completing call takes the verifier."
  }),
  returnTo: Schema.optionalKey(ReturnTo).annotateKey({
    description:
      "Address that the browser returns to, with the one-time code in its fragment. It is an address of this service, of an origin whose pages can call it, or of a program on the same machine (`http://127.0.0.1:<port>/`). Without it the callback shows the code."
  })
}

export const NewStoreConnection = Schema.Struct({
  provider: StoreProvider,
  shopDomain: ShopDomainInput,
  ...settings,
  ...authorizationInputFields
}).annotate({ identifier: "NewStoreConnection" })
export type NewStoreConnection = typeof NewStoreConnection.Type

/** What may be changed of a store. */
export const StoreConnectionPatch = Schema.Struct(settings).annotate({ identifier: "StoreConnectionPatch" })
export type StoreConnectionPatch = typeof StoreConnectionPatch.Type
