import { DateTime, Effect } from "effect"
import { Locks, transact } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { Shop } from "./Shop.ts"
import { nextConnectionStatus, ownsShop, StoreConnection } from "./StoreConnection.ts"
import { saveConnection, StoreConnections } from "./StoreConnections.ts"
import { requireStorePlatform } from "./StorePlatform.ts"
import { reencryptSecrets } from "./connecting/storeSecrets.ts"
import { appendEvent } from "./events.ts"

/** Returns the wanted scopes that were not granted. A write scope includes its read scope. */
export const missingScopes = (wanted: ReadonlyArray<string>, granted: ReadonlyArray<string>): ReadonlyArray<string> =>
  wanted.filter((scope) => !granted.includes(scope) && !granted.includes(scope.replace(/^read_/u, "write_")))

/** Applies a change that the shop reported to its connection. A result of `null` changes nothing. A removed connection is skipped. */
const changeConnection = Effect.fnUntraced(function* <E, R>(
  id: StoreConnectionId,
  change: (before: StoreConnection, now: DateTime.Utc) => Effect.Effect<Partial<StoreConnection> | null, E, R>
) {
  yield* (yield* Locks).exclusive("store_connections")
  const [before] = yield* (yield* StoreConnections).find([id])
  if (before === undefined) return
  const now = yield* DateTime.now
  const input = yield* change(before, now)
  if (input === null) return
  const after = new StoreConnection({ ...before, ...input, updatedAt: now })
  // The secrets open for the domain of the shop, so both change in one commit.
  const secrets = after.shopDomain === before.shopDomain ? null : yield* (yield* StoreConnections).lockSecrets(id)
  yield* saveConnection(before, after)
  if (secrets !== null) {
    const resealed = yield* reencryptSecrets(id, after.shopDomain, secrets)
    yield* Effect.orDie((yield* StoreConnections).keepSecrets(id, resealed))
  }
}, transact)

/** Stores the scopes that a shop grants now. If a needed scope is missing, reading stops until the shop grants all of them again. */
export const applyScopeChange = (id: StoreConnectionId, scopes: ReadonlyArray<string>) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before, at) {
      if (!ownsShop(before.status)) return null
      const platform = yield* Effect.orDie(requireStorePlatform(before))
      const missing = missingScopes(platform.scopes, scopes)
      if (missing.length > 0) {
        const reason = `The store no longer grants ${missing.join(", ")}.`
        const isLost = before.lastError?.code === "access_lost"
        return {
          scopes,
          status: nextConnectionStatus(before.status, "lose") ?? before.status,
          lastError: isLost ? before.lastError : { code: "scopes_missing" as const, reason, at }
        }
      }
      return before.status === "error" && before.lastError?.code === "scopes_missing"
        ? { scopes, status: "connected" as const, lastError: null }
        : { scopes }
    })
  )

/** Stores the data of a shop. The shop id stays the same after a rename. Data of another shop changes nothing. */
export const applyShopChange = (id: StoreConnectionId, { country, currency, name, shopDomain, shopId }: Shop) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before) {
      const isSame =
        before.shopDomain === shopDomain &&
        before.name === name &&
        before.currency === currency &&
        before.country === country
      return ownsShop(before.status) && before.shopId === shopId && !isSame
        ? { shopDomain, name, currency, country }
        : null
    })
  )

/** Handles an uninstall of the app: deletes the secrets and keeps the records of the shop. An uninstall before a later reinstall changes nothing. */
export const applyUninstall = (id: StoreConnectionId, at: DateTime.Utc) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before, now) {
      const status = nextConnectionStatus(before.status, "uninstall")
      if (status === null || (before.connectedAt !== null && DateTime.isLessThan(at, before.connectedAt))) return null
      const connections = yield* StoreConnections
      // A concurrent renewal must not restore the secrets.
      yield* connections.lockSecrets(id)
      yield* Effect.orDie(connections.keepSecrets(id, null))
      return { status, uninstalledAt: now }
    })
  )

/** Maximum time for the consent in a shop. */
const maxPendingAge = { hours: 24 } as const

const pageSize = 100

const removeExpiredPending = Effect.fnUntraced(function* (after: ReadonlyArray<string> | null) {
  yield* (yield* Locks).exclusive("store_connections")
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, maxPendingAge)
  const pending = yield* connections.list("pending", { limit: pageSize, after })
  for (const { id } of pending.filter(({ createdAt }) => DateTime.isLessThanOrEqualTo(createdAt, before))) {
    yield* Effect.orDie(connections.remove(id, null))
    yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
  }
  const last = pending.at(-1)
  return last === undefined || pending.length < pageSize ? null : [last.id]
}, transact)

/** Deletes connections without consent for a day. */
export const sweepPendingConnections = Effect.gen(function* () {
  let after = yield* removeExpiredPending(null)
  while (after !== null) after = yield* removeExpiredPending(after)
})
