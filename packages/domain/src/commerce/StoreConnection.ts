import { Schema } from "effect"
import { Currency, isStorable, Timestamp } from "../kernel/index.ts"
import { JobId, JobProgress } from "../platform/jobs/index.ts"
import { StoreConnectionId } from "./Ids.ts"
import { ShopDomain, ShopDomainInput } from "./Shop.ts"
import { CodeChallenge } from "./StoreAuthorizations.ts"

/** `pending`: no consent in the shop yet. `error`: the shop refuses access. `uninstalled`: the shop has no app of this service. */
export const StoreConnectionStatus = Schema.Literals(["pending", "connected", "uninstalled", "error"])
export type StoreConnectionStatus = typeof StoreConnectionStatus.Type

interface Transition {
  readonly from: ReadonlyArray<StoreConnectionStatus>
  readonly to: StoreConnectionStatus
}

/** Status transitions of connections. */
export const connectionTransitions = {
  /** Consent in the shop: the first one, a repeated one, or one after an uninstall. */
  connect: { from: ["pending", "connected", "error", "uninstalled"], to: "connected" },
  /** The shop refuses the access that was granted. */
  lose: { from: ["connected"], to: "error" },
  uninstall: { from: ["connected", "error"], to: "uninstalled" }
} as const satisfies Readonly<Record<string, Transition>>
export type ConnectionTransition = keyof typeof connectionTransitions

/** Returns the status after a transition; `null` if the transition does not apply to this status. */
export const nextConnectionStatus = (
  from: StoreConnectionStatus,
  transition: ConnectionTransition
): StoreConnectionStatus | null => {
  const { from: before, to }: Transition = connectionTransitions[transition]
  return before.includes(from) ? to : null
}

/** Whether a connection with this status counts against the plan. */
export const usesPlanCapacity = (status: StoreConnectionStatus): boolean => status !== "uninstalled"

/** Whether a connection with this status owns its shop. A shop has one owner. */
export const ownsShop = (status: StoreConnectionStatus): boolean => status === "connected" || status === "error"

/** Name of a store provider, such as `shopify`. It selects the platform of a store. */
export const StoreProvider = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/u, { message: "Expected the name of a provider, such as shopify" })
).annotate({ identifier: "StoreProvider" })

/** Customers who become contacts: none, those with a valid number, or those with a valid number and consent to messages. */
export const MakeContacts = Schema.Literals(["never", "reachable", "subscribed"])
export type MakeContacts = typeof MakeContacts.Type

/** Phases of a sync, in their order. */
export const SyncPhase = Schema.Literals(["shop", "products", "customers", "orders", "carts", "webhooks"])
export type SyncPhase = typeof SyncPhase.Type

/** State of the import of a store. */
export const StoreSync = Schema.Struct({
  state: Schema.Literals(["never", "running", "done", "failed"]),
  phase: Schema.NullOr(SyncPhase),
  progress: JobProgress,
  jobId: Schema.NullOr(JobId)
}).annotate({ identifier: "StoreSync" })
export type StoreSync = typeof StoreSync.Type

/** State before the first import. */
export const neverSynced: StoreSync = { state: "never", phase: null, progress: { done: 0, total: null }, jobId: null }

/** Error of a store. `reason` is a sentence for users. */
export const StoreError = Schema.Struct({
  code: Schema.Literals(["access_lost", "scopes_missing", "contacts_limit", "throttled", "unreachable"]),
  reason: Schema.String,
  at: Timestamp
}).annotate({ identifier: "StoreError" })
export type StoreError = typeof StoreError.Type

/** Freshness of the data of a store. */
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
  /** Name of the shop; its address until the name is known. */
  name: Schema.String,
  currency: Schema.NullOr(Currency),
  status: StoreConnectionStatus,
  scopes: Schema.Array(Schema.String),
  makeContacts: MakeContacts,
  takeConsent: Schema.Boolean,
  cartAbandonedAfterMinutes: CartAbandonedAfter,
  /** Earlier orders are not available. */
  ordersSince: Schema.NullOr(Timestamp),
  sync: StoreSync,
  lastSyncedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(StoreError),
  connectedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}

export class StoreConnection extends Schema.Class<StoreConnection>("StoreConnectionRecord")({
  ...viewFields,
  /** Shop id of the provider. It stays the same after a rename. */
  shopId: Schema.NullOr(Schema.String),
  /** Default country of phone numbers without a country code. */
  country: Schema.NullOr(Schema.String),
  /** Start of the last complete pass over the shop. */
  asOf: Schema.NullOr(Timestamp),
  /** Start of the last completed full sync. */
  fullAsOf: Schema.NullOr(Timestamp),
  uninstalledAt: Schema.NullOr(Timestamp),
  /** Start of the removal that a member requested. The background job deletes the connection at its end. */
  removalStartedAt: Schema.NullOr(Timestamp),
  /** Consecutive failures of the lane that reads the store, and the time of its next attempt; null after an answer. */
  retry: Schema.NullOr(Schema.Struct({ failures: Schema.Int, at: Timestamp }))
}) {}

/** A store for display. */
export class StoreConnectionView extends Schema.Class<StoreConnectionView>("StoreConnection")({
  ...viewFields,
  freshness: Freshness,
  /** Number of unreadable records of the shop. */
  skippedRecords: Schema.Int
}) {}

/** URL and expiry of the shop owner's consent page. */
const authorization = { authorizeUrl: Schema.String, authorizeExpiresAt: Timestamp }

/** A store that waits for the consent in the shop. */
export class PendingStoreConnection extends Schema.Class<PendingStoreConnection>("PendingStoreConnection")({
  ...StoreConnectionView.fields,
  ...authorization
}) {}

/** URL of the browser redirect after the decision in the shop. */
export const ReturnTo = Schema.String.check(
  isStorable,
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
    description: "PKCE S256 challenge of a verifier that you keep. The completing call needs the verifier."
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

/** Settings of a store that can be changed. */
export const StoreConnectionPatch = Schema.Struct(settings).annotate({ identifier: "StoreConnectionPatch" })
export type StoreConnectionPatch = typeof StoreConnectionPatch.Type
