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
import type { StoreExists, StoreConnectedElsewhere } from "./errors.ts"
import { appendEvent } from "./events.ts"

/** Secrets for reading a shop. The vault seals each one under its own context. */
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

/** Sync progress of a store, and its last error. */
export type StoreProgress = Pick<StoreConnection, "asOf" | "fullAsOf" | "lastError" | "lastSyncedAt" | "retry" | "sync">

export class StoreConnections extends Context.Service<
  StoreConnections,
  TenantScoped<{
    readonly get: (id: StoreConnectionId) => Effect.Effect<StoreConnection, NotFound>
    /** Existing stores of these ids, unordered. */
    readonly find: (ids: ReadonlyArray<StoreConnectionId>) => Effect.Effect<ReadonlyArray<StoreConnection>>
    /** The store of the shop with this current or former address; `null` if it does not exist. */
    readonly findByDomain: (provider: string, shopDomain: ShopDomain) => Effect.Effect<StoreConnection | null>
    /** The store of the shop with this id, independent of its address; `null` if it does not exist. */
    readonly findByShop: (provider: string, shopId: string) => Effect.Effect<StoreConnection | null>
    /** Newest first. The key of a row is its id. */
    readonly list: (status: StoreConnectionStatus | null, slice: Slice) => Effect.Effect<ReadonlyArray<StoreConnection>>
    /** Number of stores that count against the plan. */
    readonly count: () => Effect.Effect<number>
    /** `null` without consent, or after the access has ended. */
    readonly secrets: (id: StoreConnectionId) => Effect.Effect<ShopSecrets | null>
    /** Locks the secrets for a replacement, until the unit of work ends. */
    readonly lockSecrets: (id: StoreConnectionId) => Effect.Effect<ShopSecrets | null, never, Transaction>
    /** An address belongs to one connection at a time. */
    readonly insert: (connection: StoreConnection) => Effect.Effect<void, StoreExists, Transaction>
    /**
     * Stores the connection with the next version, if the stored version is the expected one. Former addresses can still be found. The progress does
     * not change here. `keepProgress` stores it, concurrently with other changes.
     */
    readonly save: (
      connection: StoreConnection,
      expected: number | null
    ) => Effect.Effect<StoreConnection, NotFound | VersionConflict, Transaction>
    /** Locks the connection for a change of its shop data, until the unit of work ends. `null` if it does not exist. */
    readonly lock: (id: StoreConnectionId) => Effect.Effect<StoreConnection | null, never, Transaction>
    /** Stores the sync progress. The version stays, because no member has changed the connection. */
    readonly keepProgress: (
      id: StoreConnectionId,
      progress: Partial<StoreProgress>
    ) => Effect.Effect<void, never, Transaction>
    /** Stores the secrets of the shop; `null` deletes them. */
    readonly keepSecrets: (
      id: StoreConnectionId,
      secrets: StoreSecrets | null
    ) => Effect.Effect<void, NotFound, Transaction>
    /** Fails if another organization holds the shop. Blocks other organizations from taking it until the commit. */
    readonly claim: (connection: StoreConnection) => Effect.Effect<void, StoreConnectedElsewhere, Transaction>
    /** Deletes records of the shop, at most `limit` of each kind. Returns the number. The connection stays. */
    readonly eraseRecords: (id: StoreConnectionId, limit: number) => Effect.Effect<number, never, Transaction>
    /** Deletes the connection with all data of the shop. */
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

/** Lookup of the organizations of a shop, for callers without an organization. Not tenant-scoped. */
export class StoreDirectory extends Context.Service<
  StoreDirectory,
  {
    /** Stores that have or had this shop id or address, except pending ones. Stores that own the shop come first. */
    readonly knownAs: (
      provider: string,
      shopDomain: ShopDomain,
      shopId: string | null
    ) => Effect.Effect<ReadonlyArray<KnownStore>>
  }
>()("@parley/domain/commerce/StoreDirectory") {}

/** Name of the background task for stores. Each store has a lane, so one process at a time updates it. */
export const storesTaskName: TaskName = "stores"

/** Schedules the lane of a store. */
export const scheduleStoreLane = Effect.fnUntraced(function* (id: StoreConnectionId, dueAt: DateTime.Utc) {
  yield* (yield* Lanes).open({ task: storesTaskName, key: id, priority: "bulk", dueAt })
})

/** Stores a connection that was read under the lock of stores, and appends the event of the change. */
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
  // The lock of stores excludes concurrent changes and deletions.
  Effect.catchTags({ NotFound: Effect.die, VersionConflict: Effect.die })
)

/**
 * Runs a change of shop records under the lock of the store, in one unit of work at a time. Concurrent changes therefore cannot miss records that
 * refer to each other. For a store that is not connected, it changes nothing and returns `null`.
 */
export const withStoreLock = <A, E, R>(
  id: StoreConnectionId,
  change: (connection: StoreConnection, now: DateTime.Utc) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const connection = yield* (yield* StoreConnections).lock(id)
    return connection?.status === "connected" ? yield* change(connection, yield* DateTime.now) : null
  }).pipe(transact)
