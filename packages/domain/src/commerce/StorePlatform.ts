import { Context, type DateTime, Effect, Layer, type Redacted, Schema } from "effect"
import type { Shop, ShopDomain, StoreSignal } from "./Shop.ts"
import { StorefrontAppAbsent } from "./errors.ts"
import type { CartRecord, CustomerRecord, OrderRecord, ProductRecord } from "./shopRecords.ts"

/** What follows from a refusal of a store. */
export const StoreRemedy = Schema.Literals([
  /** The store's own fault, or a moment's: the same call may be made again. */
  "retry",
  /** Too much was asked at once: slow down, then retry. */
  "slow_down",
  /** What was agreed has ended: somebody has to agree again. */
  "reauthorize",
  /** This was not agreed to. */
  "missing_scope",
  /** The call itself was wrong. */
  "give_up"
])
export type StoreRemedy = typeof StoreRemedy.Type

/** The store has refused: nothing was done. */
export class StoreRefused extends Schema.TaggedError<StoreRefused>()("StoreRefused", {
  remedy: StoreRemedy,
  code: Schema.String,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return `The store refused: ${this.reason} (${this.code})`
  }
}

/** The store was not reached. Whatever is asked of it may be asked again. */
export class StoreUnreachable extends Schema.TaggedError<StoreUnreachable>()("StoreUnreachable", {}) {
  override get message() {
    return "The store could not be reached. Nothing was changed. Try again in a moment."
  }
}

/** Why a call of a store has failed. */
export type StoreFailure = StoreRefused | StoreUnreachable

/** A shop, and the right to read it. */
export interface ShopAccess {
  readonly shopDomain: ShopDomain
  readonly accessToken: Redacted.Redacted
}

/** What somebody has agreed to in a shop. */
export interface StoreGrant {
  readonly accessToken: Redacted.Redacted
  /** `null`: it does not expire. */
  readonly expiresAt: DateTime.Utc | null
  readonly refreshToken: Redacted.Redacted | null
  readonly refreshExpiresAt: DateTime.Utc | null
  readonly scopes: ReadonlyArray<string>
}

/** What comes back from a shop, once it is known to come from its provider. */
export interface StoreCallback {
  readonly shopDomain: ShopDomain
  readonly state: string
  /** When the provider has sent it. */
  readonly at: DateTime.Utc
  /** What the grant is got with; `null` if somebody has said no. */
  readonly code: Redacted.Redacted | null
}

/** The parameters of a request, by their names. */
export type RequestParameters = Readonly<Record<string, string | undefined>>

/** Where somebody agrees that we read a shop, and how that is kept. */
export interface StoreAuthorizer {
  /** What has to be agreed to. */
  readonly scopes: ReadonlyArray<string>
  readonly authorizeUrl: (shopDomain: ShopDomain, state: Redacted.Redacted, redirectUri: string) => string
  /** Reads what came back; `null` if the provider has not signed it. Pure, and total. */
  readonly readCallback: (query: RequestParameters) => StoreCallback | null
  /** Makes a grant of a code. A code is good once, and a new grant ends the one before. */
  readonly exchange: (shopDomain: ShopDomain, code: Redacted.Redacted) => Effect.Effect<StoreGrant, StoreFailure>
  /** A new access token. If the answer is lost, the same refresh token may be used again. */
  readonly refresh: (shopDomain: ShopDomain, refreshToken: Redacted.Redacted) => Effect.Effect<StoreGrant, StoreFailure>
  /** Takes the app out of the shop. */
  readonly uninstall: (access: ShopAccess) => Effect.Effect<void, StoreFailure>
}

/** The records of a shop, by their kinds. */
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

/** A part of an export. */
export interface ExportedPage<Kind extends RecordKind> {
  readonly records: ReadonlyArray<StoreRecords[Kind]>
  readonly unreadable: ReadonlyArray<UnreadableRecord>
  /** Where to go on, in the platform's own words; `null` at the end. With no records: the shop is still making them. */
  readonly checkpoint: string | null
  /** How many there are in all, where that is known. */
  readonly total: number | null
}

/** What was found of some records. */
export interface FoundRecords<Kind extends RecordKind> {
  readonly records: ReadonlyArray<StoreRecords[Kind]>
  readonly unreadable: ReadonlyArray<UnreadableRecord>
  /** Those that the shop does not have any more. */
  readonly gone: ReadonlyArray<string>
}

/** Reads a shop. Ids are stable, `updatedAt` of a record never falls, and amounts are in the smallest unit of their currency. */
export interface StoreReader {
  /** Version of the reader code. A new version reads the skipped records again. */
  readonly readerVersion: string
  readonly shop: (access: ShopAccess) => Effect.Effect<Shop, StoreFailure>
  /** Everything of a kind, page by page from `checkpoint` on; `null` begins. Orders that were placed before `since` are left out. */
  readonly export: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    checkpoint: string | null,
    since: DateTime.Utc | null
  ) => Effect.Effect<ExportedPage<Kind>, StoreFailure>
  /** What has changed since then, page by page, the oldest change first. */
  readonly changedSince: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    since: DateTime.Utc,
    checkpoint: string | null
  ) => Effect.Effect<ExportedPage<Kind>, StoreFailure>
  /** These as they are now, at most 50. */
  readonly read: <Kind extends RecordKind>(
    access: ShopAccess,
    kind: Kind,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<FoundRecords<Kind>, StoreFailure>
}

/** A request by which a provider delivers: its headers with their names in small letters, and its bytes as they were signed. */
export interface StoreDeliveryRequest {
  readonly headers: RequestParameters
  readonly body: Uint8Array
}

/** What a delivery is about, in our words. */
export interface StoreDelivery {
  readonly shopDomain: ShopDomain
  /** `null` where the provider does not say. */
  readonly shopId: string | null
  /** The provider's name of what has happened, in its own words. */
  readonly topic: string
  /** The provider's id of what has happened, which a repetition shares. */
  readonly eventId: string | null
  readonly signals: ReadonlyArray<StoreSignal>
}

/** What a shop tells by itself. */
export interface StoreWebhooks {
  /** Has the shop deliver to this address. It may be asked again. */
  readonly subscribe: (access: ShopAccess, address: string) => Effect.Effect<void, StoreFailure>
  /** Whether the provider has signed it, over its raw bytes and with the secret of now or the one before, in constant time. */
  readonly isSigned: (request: StoreDeliveryRequest) => boolean
  /** The headers that `decode` reads: no others are kept. */
  readonly deliveryHeaders: ReadonlyArray<string>
  /** What it tells; `null` if it is not one of this provider. `topic` is what its address says, for where its headers do not. Pure, and total. */
  readonly decode: (topic: string, request: StoreDeliveryRequest) => StoreDelivery | null
}

/** A provider of stores, reached through the app that the operator of this service has there. */
export interface StorePlatform extends StoreAuthorizer, StoreReader, StoreWebhooks {}

/** The platforms of this service, by the `provider` of the stores on them. */
export class StorePlatforms extends Context.Service<StorePlatforms, ReadonlyMap<string, StorePlatform>>()(
  "@parley/domain/commerce/StorePlatforms"
) {}

/** Registers these platforms, each under the name of its provider. */
export const layerStorePlatforms = <E, R>(platforms: Readonly<Record<string, Effect.Effect<StorePlatform, E, R>>>) =>
  Layer.effect(
    StorePlatforms,
    Effect.map(Effect.all(platforms), (made) => new Map<string, StorePlatform>(Object.entries(made)))
  )

/** The platform that stores of this provider are on. */
export const requireStorePlatform = Effect.fnUntraced(function* ({ provider }: { readonly provider: string }) {
  return (yield* StorePlatforms).get(provider) ?? (yield* new StorefrontAppAbsent({ provider }))
})

/** How stores are set up on this service. */
export class StoreSettings extends Context.Service<
  StoreSettings,
  {
    /** The address under which providers and browsers reach this service, without a slash at its end. */
    readonly publicUrl: string
    /** Where people may be sent back to from a shop, beside this service itself. */
    readonly returnOrigins: ReadonlyArray<string>
  }
>()("@parley/domain/commerce/StoreSettings") {}

/** A service that has no app at any provider of stores: none can be connected. */
export const layerNoStores = (publicUrl: string, returnOrigins: ReadonlyArray<string> = []) =>
  Layer.mergeAll(Layer.succeed(StorePlatforms, new Map()), Layer.succeed(StoreSettings, { publicUrl, returnOrigins }))

/** The path under which providers deliver what happens in stores. */
export const storeWebhookPath = (provider: string) => `/webhooks/storefront/${provider}`
