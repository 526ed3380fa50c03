import { Context, type DateTime, Effect, Layer, type Redacted, Schema } from "effect"
import type { Shop, ShopDomain, StoreSignal } from "./Shop.ts"
import { StoreAppNotConfigured } from "./errors.ts"
import type { CartRecord, CustomerRecord, OrderRecord, ProductRecord } from "./shopRecords.ts"

/** Remedy for a refusal of a store. */
export const StoreRemedy = Schema.Literals([
  /** An error of the store, or a temporary one: retry the same call. */
  "retry",
  /** Too many calls: slow down, then retry. */
  "slow_down",
  /** The access has ended: a member must authorize again. */
  "reauthorize",
  /** The store has not granted this scope. */
  "missing_scope",
  /** The call is invalid. */
  "give_up"
])
export type StoreRemedy = typeof StoreRemedy.Type

/** Refusal of the store. The call had no effect. */
export class StoreRefused extends Schema.TaggedError<StoreRefused>()("StoreRefused", {
  remedy: StoreRemedy,
  code: Schema.String,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return `The store rejected the request: ${this.reason} (${this.code})`
  }
}

/** The store was not reached. Every call to it can be repeated. */
export class StoreUnreachable extends Schema.TaggedError<StoreUnreachable>()("StoreUnreachable", {}) {
  override get message() {
    return "The store is not reachable. Nothing was changed. Try again later."
  }
}

/** Cause of a failed call to a store. */
export type StoreFailure = StoreRefused | StoreUnreachable

/** A shop, and the right to read it. */
export interface ShopAccess {
  readonly shopDomain: ShopDomain
  readonly accessToken: Redacted.Redacted
}

/** Access that a shop has granted. */
export interface StoreGrant {
  readonly accessToken: Redacted.Redacted
  /** `null`: no expiry. */
  readonly expiresAt: DateTime.Utc | null
  readonly refreshToken: Redacted.Redacted | null
  readonly refreshExpiresAt: DateTime.Utc | null
  readonly scopes: ReadonlyArray<string>
}

/** Callback of a shop, after a check that its provider signed it. */
export interface StoreCallback {
  readonly shopDomain: ShopDomain
  readonly state: string
  /** When the provider sent it. */
  readonly at: DateTime.Utc
  /** Code for the exchange of the grant; `null` if the consent was denied. */
  readonly code: Redacted.Redacted | null
}

/** Parameters of a request, by name. */
export type RequestParameters = Readonly<Record<string, string | undefined>>

/** Authorization at a provider: consent, exchange, renewal and uninstall. */
export interface StoreAuthorizer {
  /** Scopes that the shop must grant. */
  readonly scopes: ReadonlyArray<string>
  readonly authorizeUrl: (shopDomain: ShopDomain, state: Redacted.Redacted, redirectUri: string) => string
  /** Parses a callback; `null` if the provider has not signed it. Pure and total. */
  readonly readCallback: (query: RequestParameters) => StoreCallback | null
  /** Exchanges a code for a grant. A code is valid once, and a new grant ends the previous one. */
  readonly exchange: (shopDomain: ShopDomain, code: Redacted.Redacted) => Effect.Effect<StoreGrant, StoreFailure>
  /** Returns a new access token. If the answer is lost, the same refresh token can be used again. */
  readonly refresh: (shopDomain: ShopDomain, refreshToken: Redacted.Redacted) => Effect.Effect<StoreGrant, StoreFailure>
  /** Uninstalls the app from the shop. */
  readonly uninstall: (access: ShopAccess) => Effect.Effect<void, StoreFailure>
}

/** Records of a shop, by kind. */
export interface StoreRecords {
  readonly products: ProductRecord
  readonly customers: CustomerRecord
  readonly orders: OrderRecord
  readonly carts: CartRecord
}
export type RecordKind = keyof StoreRecords

/** A record that the platform cannot read. */
export interface UnreadableRecord {
  readonly externalId: string
  /** Names of the fields without a readable value. Contains no values, because they can be personal data. */
  readonly reason: string
}

/** A page of an export. */
export interface ExportedPage<Kind extends RecordKind> {
  readonly records: ReadonlyArray<StoreRecords[Kind]>
  readonly unreadable: ReadonlyArray<UnreadableRecord>
  /** Next position in the format of the platform; `null` at the end. A page without records: the shop still prepares the export. */
  readonly checkpoint: string | null
  /** Total number of records, if known. */
  readonly total: number | null
}

/** Result of reading some records. */
export interface FoundRecords<Kind extends RecordKind> {
  readonly records: ReadonlyArray<StoreRecords[Kind]>
  readonly unreadable: ReadonlyArray<UnreadableRecord>
  /** Ids of records that the shop has deleted. */
  readonly gone: ReadonlyArray<string>
}

/** Reader of a shop. Ids are stable, `updatedAt` of a record never decreases, and amounts are in the smallest unit of their currency. */
export interface StoreReader {
  /** Version of the reader code. A new version reads the skipped records again. */
  readonly readerVersion: string
  readonly shop: (access: ShopAccess) => Effect.Effect<Shop, StoreFailure>
  /** All records of a kind, page by page from `checkpoint`; `null` is the start. Excludes orders that were placed before `since`. */
  readonly export: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    checkpoint: string | null,
    since: DateTime.Utc | null
  ) => Effect.Effect<ExportedPage<Kind>, StoreFailure>
  /** Changes since then, page by page, oldest change first. */
  readonly changedSince: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    since: DateTime.Utc,
    checkpoint: string | null
  ) => Effect.Effect<ExportedPage<Kind>, StoreFailure>
  /** Current state of these records, at most 50. */
  readonly read: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<FoundRecords<Kind>, StoreFailure>
}

/** Request of a provider delivery: headers with lower-case names, and the bytes as signed. */
export interface StoreDeliveryRequest {
  readonly headers: RequestParameters
  readonly body: Uint8Array
}

/** A decoded delivery, in the terms of Parley. */
export interface StoreDelivery {
  readonly shopDomain: ShopDomain
  /** `null` if the provider does not report it. */
  readonly shopId: string | null
  /** Event name of the provider, unchanged. */
  readonly topic: string
  /** Event id of the provider. A repeated delivery has the same one, and so have other deliveries of the event. */
  readonly eventId: string | null
  readonly signals: ReadonlyArray<StoreSignal>
}

/** Webhooks of a shop. */
export interface StoreWebhooks {
  /** Subscribes this address to the deliveries of the shop. Can be repeated. */
  readonly subscribe: (access: ShopAccess, address: string) => Effect.Effect<void, StoreFailure>
  /** Whether the provider signed the raw bytes, with the current or the previous secret. Runs in constant time. */
  readonly isSigned: (request: StoreDeliveryRequest) => boolean
  /** Headers that `decode` reads. Others are not stored. */
  readonly deliveryHeaders: ReadonlyArray<string>
  /** Decodes a delivery; `null` if it is not of this provider. `topic` comes from the URL and applies if the headers contain none. Pure and total. */
  readonly decode: (topic: string, request: StoreDeliveryRequest) => StoreDelivery | null
}

/** A store provider, called through the app of the operator of this service. */
export interface StorePlatform extends StoreAuthorizer, StoreReader, StoreWebhooks {}

/** Platforms of this service, by the `provider` of their stores. */
export class StorePlatforms extends Context.Service<StorePlatforms, ReadonlyMap<string, StorePlatform>>()(
  "@parley/domain/commerce/StorePlatforms"
) {}

/** Registers platforms under the names of their providers. */
export const layerStorePlatforms = <E, R>(platforms: Readonly<Record<string, Effect.Effect<StorePlatform, E, R>>>) =>
  Layer.effect(
    StorePlatforms,
    Effect.map(Effect.all(platforms), (made) => new Map<string, StorePlatform>(Object.entries(made)))
  )

/** Returns the platform of a store. */
export const requireStorePlatform = Effect.fnUntraced(function* ({ provider }: { readonly provider: string }) {
  return (yield* StorePlatforms).get(provider) ?? (yield* new StoreAppNotConfigured({ provider }))
})

/** Settings of this service for stores. */
export class StoreSettings extends Context.Service<
  StoreSettings,
  {
    /** URL of this service for providers and browsers, without a trailing slash. */
    readonly publicUrl: string
    /** Allowed origins of redirects from a shop, in addition to this service. */
    readonly returnOrigins: ReadonlyArray<string>
  }
>()("@parley/domain/commerce/StoreSettings") {}

/** Service without an app at any provider. No store can be connected. */
export const layerNoStores = (publicUrl: string, returnOrigins: ReadonlyArray<string> = []) =>
  Layer.mergeAll(Layer.succeed(StorePlatforms, new Map()), Layer.succeed(StoreSettings, { publicUrl, returnOrigins }))

/** Returns the path for the deliveries of a provider. */
export const storeWebhookPath = (provider: string) => `/webhooks/storefront/${provider}`
