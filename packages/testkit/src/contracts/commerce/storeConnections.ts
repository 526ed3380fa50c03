import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  neverSynced,
  type ShopDomain,
  StoreConnection,
  type StoreConnectionStatus,
  StoreConnections,
  StoreCustomers,
  StoreDirectory,
  type StoreProgress
} from "@parley/domain/commerce"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all } from "../crm/given.ts"
import { freshText, givenOrganization, inside, outside } from "../given.ts"
import { anything, evening, givenConnection, morning, newConnection, newCustomer, putCustomers } from "./given.ts"

const encode = Schema.encodeSync(StoreConnection)
const plainly = <Row extends object>(rows: ReadonlyArray<Row>) => rows.map((row) => ({ ...row }))
const plain = (connection: StoreConnection | null) => (connection === null ? null : encode(connection))

const sealed = { accessToken: "sealed", expiresAt: evening, refreshToken: "refresh", refreshExpiresAt: null }

const save = (connection: StoreConnection, expected: number | null = null) =>
  Effect.flatMap(StoreConnections, (connections) => transact(connections.save(connection, expected)))

export const storeConnections: StorageContract = {
  port: "StoreConnections",
  promises: (it) => {
    it.effect("stores every field, and the secrets separately, and hides both from other tenants", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [whole, bare] = yield* Effect.gen(function* () {
          const connection = yield* givenConnection()
          const pending = newConnection()
          yield* transact(connections.insert(pending))
          yield* transact(connections.keepSecrets(connection.id, sealed))
          const stored = { ...sealed, shopDomain: connection.shopDomain }
          assert.deepStrictEqual(yield* connections.secrets(connection.id), stored)
          assert.deepStrictEqual(yield* transact(connections.lockSecrets(connection.id)), stored)
          assert.isNull(yield* connections.secrets(pending.id))
          return [connection, pending] as const
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual((yield* connections.list(null, all)).map(plain), [bare, whole].map(plain))
          assert.deepStrictEqual((yield* connections.list("pending", all)).map(plain), [plain(bare)])
          assert.deepStrictEqual(plain(yield* connections.get(whole.id)), plain(whole))
          assert.deepStrictEqual((yield* connections.find([bare.id, bare.id])).map(plain), [plain(bare)])
          assert.deepStrictEqual(plain(yield* connections.findByDomain("shopify", bare.shopDomain)), plain(bare))
          assert.deepStrictEqual(plain(yield* connections.findByShop("shopify", whole.shopId ?? "")), plain(whole))
          assert.isNull(yield* connections.findByDomain("other", bare.shopDomain))
          assert.strictEqual(yield* connections.count(), 2)
          yield* transact(connections.keepSecrets(whole.id, null))
          assert.isNull(yield* connections.secrets(whole.id))
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(connections.get(whole.id)))._tag, "NotFound")
          assert.lengthOf(yield* connections.find([whole.id]), 0)
          assert.lengthOf(yield* connections.list(null, all), 0)
          assert.isNull(yield* connections.findByDomain("shopify", whole.shopDomain))
          assert.isNull(yield* connections.findByShop("shopify", whole.shopId ?? ""))
          assert.isNull(yield* connections.secrets(whole.id))
          assert.isNull(yield* transact(connections.lockSecrets(whole.id)))
          assert.strictEqual(yield* connections.count(), 0)
          assert.strictEqual((yield* Effect.flip(save(whole)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(connections.keepSecrets(whole.id, sealed))))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(connections.remove(whole.id, null))))._tag, "NotFound")
        }).pipe(inside(other))
      })
    )

    it.effect("allows one connection per address, and ignores uninstalled ones", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        yield* Effect.gen(function* () {
          const { id, shopDomain } = yield* givenConnection({ status: "uninstalled" })
          const exists = yield* Effect.flip(transact(connections.insert(newConnection({ shopDomain }))))
          assert.deepInclude(exists, { _tag: "StoreExists", storeConnectionId: id })
          assert.strictEqual(yield* connections.count(), 0)
          yield* transact(connections.insert(newConnection({ shopDomain, provider: "other" })))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("changes a connection at its version, and finds it by its previous addresses", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        yield* Effect.gen(function* () {
          const before = yield* givenConnection()
          const shopDomain = `${freshText("renamed")}.myshopify.com`
          const renamed = new StoreConnection({ ...before, shopDomain, status: "error", updatedAt: evening })
          const saved = yield* save(renamed, 1)
          assert.deepStrictEqual(plain(saved), { ...encode(renamed), version: 2 })
          for (const domain of [shopDomain, before.shopDomain]) {
            assert.strictEqual((yield* connections.findByDomain("shopify", domain))?.id, before.id)
          }
          const stale = yield* Effect.flip(save(renamed, 1))
          assert.deepInclude(stale, { _tag: "VersionConflict", current: 2 })
          assert.strictEqual((yield* Effect.flip(transact(connections.remove(before.id, 1))))._tag, "VersionConflict")
          const next = yield* givenConnection({ shopDomain: before.shopDomain })
          assert.strictEqual((yield* connections.findByDomain("shopify", before.shopDomain))?.id, next.id)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores its sync position separately, without a new version", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const before = yield* givenConnection().pipe(inside(one))
        const keep = (progress: Partial<StoreProgress>) => transact(connections.keepProgress(before.id, progress))
        const stored = Effect.map(connections.get(before.id), plain)
        const sync = { ...neverSynced, state: "failed" } as const
        yield* keep({ sync, asOf: null, fullAsOf: null, lastSyncedAt: null, lastError: null }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* stored, plain(before))
          yield* keep({ sync, asOf: evening })
          yield* keep({ lastError: null })
          yield* keep({})
          const kept = new StoreConnection({ ...before, sync, asOf: evening, lastError: null })
          assert.deepStrictEqual(yield* stored, plain(kept))
          assert.deepStrictEqual(plain(yield* transact(connections.lock(before.id))), plain(kept))
          const error = { code: "contacts_limit", reason: "Full.", at: morning } as const
          yield* keep({ lastError: error, lastSyncedAt: morning, asOf: null, fullAsOf: morning })
          const saved = yield* save(new StoreConnection({ ...before, name: "Bakery" }))
          const named = { name: "Bakery", sync, asOf: null, fullAsOf: morning, lastSyncedAt: morning, version: 2 }
          assert.deepStrictEqual(plain(saved), plain(new StoreConnection({ ...before, ...named })))
        }).pipe(inside(one))
        assert.isNull(yield* transact(connections.lock(before.id)).pipe(inside(other)))
      })
    )

    it.effect("removing a connection removes all data of its store", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        yield* Effect.gen(function* () {
          const [gone, left] = [yield* givenConnection(), yield* givenConnection()]
          yield* putCustomers(newCustomer(gone), newCustomer(left))
          yield* transact(connections.remove(gone.id, 1))
          const rest = yield* (yield* StoreCustomers).list(anything, all)
          assert.deepStrictEqual(
            rest.map(({ customer }) => customer.storeConnectionId),
            [left.id]
          )
          assert.strictEqual((yield* Effect.flip(connections.get(gone.id)))._tag, "NotFound")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("clearing removes the data of a store in batches, and keeps the connection", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const [gone, left] = [yield* givenConnection(), yield* givenConnection()]
          yield* putCustomers(newCustomer(gone), newCustomer(gone), newCustomer(gone), newCustomer(left))
          const erase = transact(connections.eraseRecords(gone.id, 2))
          assert.strictEqual(yield* erase.pipe(inside(other)), 0)
          assert.deepStrictEqual([yield* erase, yield* erase, yield* erase], [2, 1, 0])
          const rest = yield* (yield* StoreCustomers).list(anything, all)
          assert.deepStrictEqual(
            rest.map(({ customer }) => customer.storeConnectionId),
            [left.id]
          )
          assert.strictEqual((yield* connections.get(gone.id)).id, gone.id)
        }).pipe(inside(one))
      })
    )

    it.effect("a store belongs to one organization while that organization holds it", () =>
      Effect.gen(function* () {
        const connections = yield* StoreConnections
        const directory = yield* StoreDirectory
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const held = yield* givenConnection().pipe(inside(one))
        const { shopDomain, shopId } = held
        const ours = newConnection({ shopDomain })
        const claim = (connection: StoreConnection) => transact(connections.claim(connection)).pipe(inside(other))
        const known = (domain: ShopDomain, id: string | null) => outside(directory.knownAs("shopify", domain, id))
        const reported = (status: StoreConnectionStatus, domain = shopDomain) => [
          { organizationId: one.id, storeConnectionId: held.id, shopDomain: domain, shopId, status }
        ]
        assert.deepStrictEqual(plainly(yield* known(shopDomain, null)), reported("connected"))
        assert.deepStrictEqual(
          plainly(yield* known(`${freshText("shop")}.myshopify.com`, shopId)),
          reported("connected")
        )
        assert.deepStrictEqual(yield* known(`${freshText("shop")}.myshopify.com`, freshText("gid")), [])
        assert.deepStrictEqual(yield* outside(directory.knownAs("other", shopDomain, shopId)), [])
        assert.strictEqual((yield* Effect.flip(claim(ours)))._tag, "StoreConnectedElsewhere")
        assert.strictEqual((yield* Effect.flip(claim(newConnection({ shopId }))))._tag, "StoreConnectedElsewhere")
        yield* claim(newConnection({ shopDomain, provider: "other" }))
        yield* transact(connections.claim(held)).pipe(inside(one))
        const renamed = `${freshText("renamed")}.myshopify.com`
        yield* save(new StoreConnection({ ...held, shopDomain: renamed })).pipe(inside(one))
        assert.deepStrictEqual(plainly(yield* known(shopDomain, null)), reported("connected", renamed))
        yield* save(new StoreConnection({ ...held, status: "uninstalled" })).pipe(inside(one))
        yield* claim(ours)
        assert.deepStrictEqual(plainly(yield* known(shopDomain, null)), reported("uninstalled"))
        const { id } = yield* givenConnection({ shopDomain }).pipe(inside(other))
        assert.deepStrictEqual(
          (yield* known(shopDomain, null)).map(({ storeConnectionId }) => storeConnectionId),
          [id, held.id]
        )
        yield* transact(connections.insert(newConnection({ shopDomain }))).pipe(inside(yield* givenOrganization()))
        assert.lengthOf(yield* known(shopDomain, null), 2)
      })
    )
  }
}

/** Checks an adapter against the contract of `StoreConnections` and its related ports. */
export const storeConnectionsContract = runContract(storeConnections)
