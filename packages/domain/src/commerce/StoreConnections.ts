import { Context, DateTime, Effect } from "effect"
import {
  type NotFound,
  type OrganizationId,
  type Slice,
  type TenantScoped,
  transact,
  type Transaction,
  type VersionConflict
} from "../kernel/index.ts"
import { Lanes, type TaskName } from "../platform/background/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { ShopDomain } from "./Shop.ts"
import type { StoreConnection, StoreConnectionStatus } from "./StoreConnection.ts"
import type { StoreExists, StoreTaken } from "./errors.ts"
import { appendEvent } from "./events.ts"

/** What a shop is read with, each sealed by the vault under its own context. */
export interface StoreSecrets {
  readonly accessToken: string
  readonly expiresAt: DateTime.Utc | null
  readonly refreshToken: string | null
  readonly refreshExpiresAt: DateTime.Utc | null
}

/** Secrets of a store and its shop domain, read together because the secrets open for that domain. */
export interface ShopSecrets extends StoreSecrets {
  readonly shopDomain: ShopDomain
}

/** How far a store is read, and what was wrong with it last. */
export type StoreProgress = Pick<StoreConnection, "asOf" | "fullAsOf" | "lastError" | "lastSyncedAt" | "retry" | "sync">

/** The stores of the organization. */
export class StoreConnections extends Context.Service<
  StoreConnections,
  TenantScoped<{
    readonly get: (id: StoreConnectionId) => Effect.Effect<StoreConnection, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<StoreConnectionId>) => Effect.Effect<ReadonlyArray<StoreConnection>>
    /** The one that is the shop with this address, or was it before the shop was renamed; `null` if there is none. */
    readonly findByDomain: (provider: string, shopDomain: ShopDomain) => Effect.Effect<StoreConnection | null>
    /** The one that is this shop, whatever its address; `null` if there is none. */
    readonly findByShop: (provider: string, shopId: string) => Effect.Effect<StoreConnection | null>
    /** Newest first; the key of a row is its id. */
    readonly list: (status: StoreConnectionStatus | null, slice: Slice) => Effect.Effect<ReadonlyArray<StoreConnection>>
    /** How many take room in the plan. */
    readonly count: () => Effect.Effect<number>
    /** `null` where nobody has agreed, or it has ended. */
    readonly secrets: (id: StoreConnectionId) => Effect.Effect<ShopSecrets | null>
    /** As `secrets`, to replace them: others who do wait until this unit of work ends. */
    readonly lockSecrets: (id: StoreConnectionId) => Effect.Effect<ShopSecrets | null, never, Transaction>
    /** An address is that of one connection at a time. */
    readonly insert: (connection: StoreConnection) => Effect.Effect<void, StoreExists, Transaction>
    /**
     * Stores it with its version raised by one, if the stored version is still the expected one. An address that it had before is still
     * found. How far it is read stays as it is: `keepProgress` says that, beside whoever changes the rest.
     */
    readonly save: (
      connection: StoreConnection,
      expected: number | null
    ) => Effect.Effect<StoreConnection, NotFound | VersionConflict, Transaction>
    /** Reads it to change what is known of the shop: others who do wait until this unit of work ends. `null` if there is none. */
    readonly lock: (id: StoreConnectionId) => Effect.Effect<StoreConnection | null, never, Transaction>
    /** Stores how far it is read; its version stays, since nobody has said anything of it. */
    readonly keepProgress: (
      id: StoreConnectionId,
      progress: Partial<StoreProgress>
    ) => Effect.Effect<void, never, Transaction>
    /** Keeps what the shop is read with; `null` forgets it. */
    readonly keepSecrets: (
      id: StoreConnectionId,
      secrets: StoreSecrets | null
    ) => Effect.Effect<void, NotFound, Transaction>
    /** Refuses a shop that another organization holds, and keeps others from taking it until the commit. */
    readonly claim: (connection: StoreConnection) => Effect.Effect<void, StoreTaken, Transaction>
    /** Removes records of the shop, at most `limit` of each kind; says how many. The connection stays. */
    readonly eraseRecords: (id: StoreConnectionId, limit: number) => Effect.Effect<number, never, Transaction>
    /** Removes it with all that is known of the shop. */
    readonly remove: (
      id: StoreConnectionId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/commerce/StoreConnections") {}

/** A store that is, or was, this shop. */
export interface KnownStore {
  readonly organizationId: OrganizationId
  readonly storeConnectionId: StoreConnectionId
  readonly shopDomain: ShopDomain
  readonly shopId: string | null
  readonly status: StoreConnectionStatus
}

/** Whose a shop is, for what names no organization. It stands above tenants. */
export class StoreDirectory extends Context.Service<
  StoreDirectory,
  {
    /** The stores that are the shop with this id or this address, or were; not those that nobody has agreed to yet. Those that hold it come first. */
    readonly knownAs: (
      provider: string,
      shopDomain: ShopDomain,
      shopId: string | null
    ) => Effect.Effect<ReadonlyArray<KnownStore>>
  }
>()("@parley/domain/commerce/StoreDirectory") {}

/** What stores are called among the works: each has a lane, so that one process at a time keeps up with it. */
export const storesTaskName: TaskName = "stores"

/** Has somebody look after a store then. */
export const scheduleStoreLane = Effect.fnUntraced(function* (id: StoreConnectionId, dueAt: DateTime.Utc) {
  yield* (yield* Lanes).open({ work: storesTaskName, key: id, priority: "bulk", dueAt })
})

/** Stores a connection that was read under the lock of stores, and tells what became of it. */
export const saveConnection = Effect.fnUntraced(
  function* (before: StoreConnection, after: StoreConnection) {
    const saved = yield* (yield* StoreConnections).save(after, null)
    const storeConnectionId = after.id
    if (before.status !== after.status) {
      if (after.status === "connected") yield* scheduleStoreLane(storeConnectionId, after.updatedAt)
      yield* appendEvent({
        type: "store_connection.status_changed",
        storeConnectionId,
        from: before.status,
        to: after.status
      })
    } else {
      yield* appendEvent({ type: "store_connection.updated", storeConnectionId })
    }
    return saved
  },
  // Under the lock of stores nobody else changes or removes one.
  Effect.catchTags({ NotFound: Effect.die, VersionConflict: Effect.die })
)

/**
 * Changes what is known of a shop, in one unit of work at a time: records that refer to each other are never added past each other. Of a store
 * that is not connected nothing is changed any more, and the answer is `null`.
 */
export const withStoreLock = <A, E, R>(
  id: StoreConnectionId,
  change: (connection: StoreConnection, now: DateTime.Utc) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const connection = yield* (yield* StoreConnections).lock(id)
    return connection?.status === "connected" ? yield* change(connection, yield* DateTime.now) : null
  }).pipe(transact)
