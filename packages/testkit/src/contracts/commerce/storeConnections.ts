import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  neverSynced,
  type ShopDomain,
  type ParkedCodeClaim,
  type ReservedStoreCode,
  StoreAuthorizationRedemption,
  StoreAuthorizations,
  StoreConnection,
  type StoreConnectionStatus,
  StoreConnections,
  StoreCustomers,
  StoreDirectory,
  type StoreProgress
} from "@parley/domain/commerce"
import { DateTime, Duration, Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all } from "../crm/given.ts"
import { freshText, givenOrganization, inside, outside, present } from "../given.ts"
import { anything, evening, givenConnection, morning, newConnection, newCustomer, putCustomers } from "./given.ts"

const encode = Schema.encodeSync(StoreConnection)
const plainly = <Row extends object>(rows: ReadonlyArray<Row>) => rows.map((row) => ({ ...row }))
const plain = (connection: StoreConnection | null) => (connection === null ? null : encode(connection))

const sealed = { accessToken: "sealed", expiresAt: evening, refreshToken: "refresh", refreshExpiresAt: null }

const save = (connection: StoreConnection, expected: number | null = null) =>
  Effect.flatMap(StoreConnections, (connections) => transact(connections.save(connection, expected)))

const authorize = Effect.fnUntraced(function* (digest: string, expiresAt: DateTime.Utc) {
  const { id: storeConnectionId, provider, shopDomain } = yield* givenConnection()
  const authorization = {
    storeConnectionId,
    provider,
    shopDomain,
    actor: { kind: "user", id: "01985d5c-0000-7000-8000-000000000001" },
    codeChallenge: "challenge",
    returnTo: "https://app.example/stores?a=b"
  } as const
  yield* transact((yield* StoreAuthorizations).insert(digest, authorization, expiresAt))
  return authorization
})

const park = Effect.fnUntraced(function* (digest: string, expiresAt: DateTime.Utc, of: Partial<StoreConnection> = {}) {
  const { id: storeConnectionId, provider, shopDomain } = yield* givenConnection(of)
  const parked = {
    storeConnectionId,
    provider,
    shopDomain,
    actor: { kind: "user", id: "01985d5c-0000-7000-8000-000000000001" },
    codeChallenge: "challenge",
    sealedCode: "sealed"
  } as const
  yield* transact((yield* StoreAuthorizations).park(digest, parked, expiresAt))
  return { parked, claim: { digest, storeConnectionId, actor: parked.actor, codeChallenge: parked.codeChallenge } }
})

const reserve = (claim: ParkedCodeClaim, now: DateTime.Utc) =>
  Effect.flatMap(StoreAuthorizations, (port) => transact(port.reserve(claim, now, DateTime.add(now, { seconds: 90 }))))

const kindOf = (claim: ParkedCodeClaim, now: DateTime.Utc) => Effect.map(reserve(claim, now), ({ kind }) => kind)

const reserved = (claim: ParkedCodeClaim, now: DateTime.Utc) =>
  Effect.flatMap(reserve(claim, now), (found) =>
    found.kind === "reserved" ? Effect.succeed(found.code) : Effect.die(new Error(`The reservation is ${found.kind}.`))
  )

const spend = (code: ReservedStoreCode) => Effect.flatMap(StoreAuthorizations, (port) => transact(port.spend(code)))

const release = (code: ReservedStoreCode) => Effect.flatMap(StoreAuthorizations, (port) => transact(port.release(code)))

const redeem = (digest: string, now: DateTime.Utc) =>
  Effect.flatMap(StoreAuthorizationRedemption, (port) => transact(port.redeem(digest, now))).pipe(outside)

export const storeConnections: StorageContract = {
  port: "StoreConnections",
  promises: (it) => {
    it.effect("keeps every field, the secrets apart, and all of it out of another tenant's sight and reach", () =>
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

    it.effect("has an address once, and does not count what is uninstalled", () =>
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

    it.effect("is changed at its version, and found by its previous addresses", () =>
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

    it.effect("goes with all that is known of the shop", () =>
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

    it.effect("loses what is known of the shop bit by bit, and stays", () =>
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

    it.effect("is the shop of one organization, as long as that holds it", () =>
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

    it.effect("has a state for each who was sent to the shop, which is good once and for its time", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [digest, late] = [freshText("digest"), freshText("digest")]
        const authorization = yield* authorize(digest, evening).pipe(inside(organization))
        yield* authorize(late, morning).pipe(inside(organization))
        assert.isNull(yield* redeem(freshText("digest"), morning))
        assert.isNull(yield* redeem(late, morning))
        const redeemed = yield* redeem(digest, morning)
        assert.deepStrictEqual({ ...redeemed }, { ...authorization, organizationId: organization.id })
        assert.isNull(yield* redeem(digest, morning))
      })
    )

    it.effect("forgets states a day after they have expired", () =>
      Effect.gen(function* () {
        const now = yield* present
        yield* Effect.gen(function* () {
          const [old, young] = [freshText("digest"), freshText("digest")]
          yield* authorize(old, DateTime.subtract(now, { days: 1 }))
          yield* authorize(young, DateTime.subtract(now, { hours: 23 }))
          const authorizations = yield* StoreAuthorizations
          assert.strictEqual(yield* authorizations.sweep(), 1)
          assert.strictEqual(yield* authorizations.sweep(), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reserves a parked code for the claim that matches in every field", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const now = yield* DateTime.now
        const expiresAt = DateTime.add(now, { minutes: 10 })
        const { claim, parked } = yield* park(freshText("code"), expiresAt).pipe(inside(one))
        const differing: ReadonlyArray<ParkedCodeClaim> = [
          { ...claim, digest: freshText("code") },
          { ...claim, codeChallenge: "another" },
          { ...claim, storeConnectionId: newConnection().id },
          { ...claim, actor: { ...claim.actor, kind: "token" } },
          { ...claim, actor: { ...claim.actor, id: "01985d5c-0000-7000-8000-000000000002" } }
        ]
        yield* Effect.gen(function* () {
          for (const each of differing) assert.strictEqual(yield* kindOf(each, now), "unknown")
          assert.strictEqual(yield* kindOf(claim, expiresAt), "unknown")
        }).pipe(inside(one))
        assert.strictEqual(yield* kindOf(claim, now).pipe(inside(other)), "unknown")
        const { digest, reservedUntil, ...found } = yield* reserved(claim, now).pipe(inside(one))
        assert.deepStrictEqual(found, parked)
        assert.strictEqual(digest, claim.digest)
        assert.strictEqual(Duration.toSeconds(DateTime.distance(now, reservedUntil)), 90)
      })
    )

    it.effect("reserves a parked code once at a time, until it is released or the reservation ends", () =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const later = DateTime.add(now, { seconds: 90 })
        const { claim } = yield* park(freshText("code"), DateTime.add(now, { minutes: 10 }))
        const undone = Effect.flatMap(StoreAuthorizations, (port) => port.reserve(claim, now, later)).pipe(
          Effect.andThen(Effect.fail("undone")),
          transact
        )
        assert.strictEqual(yield* Effect.flip(undone), "undone")
        const tries = yield* Effect.all([kindOf(claim, now), kindOf(claim, now)], { concurrency: "unbounded" })
        assert.sameMembers(tries, ["reserved", "in_progress"])
        assert.strictEqual(yield* kindOf(claim, DateTime.subtract(later, { seconds: 1 })), "in_progress")
        const second = yield* reserved(claim, later)
        // The first reservation has ended, so it no longer changes the code.
        const first = { ...second, reservedUntil: later }
        assert.isFalse(yield* spend(first))
        yield* release(first)
        assert.strictEqual(yield* kindOf(claim, later), "in_progress")
        yield* release(second)
        const third = yield* reserved(claim, later)
        assert.isTrue(yield* spend(third))
        assert.isFalse(yield* spend(third))
        assert.strictEqual(yield* kindOf(claim, later), "unknown")
      }).pipe((test) => Effect.flatMap(givenOrganization(), (organization) => test.pipe(inside(organization))))
    )

    it.effect("reserves one code of a shop at a time, over all organizations", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const now = yield* DateTime.now
        const expiresAt = DateTime.add(now, { minutes: 10 })
        const shopDomain = newConnection().shopDomain
        const mine = yield* park(freshText("code"), expiresAt, { shopDomain }).pipe(inside(one))
        const theirs = yield* park(freshText("code"), expiresAt, { shopDomain }).pipe(inside(other))
        const unrelated = yield* park(freshText("code"), expiresAt).pipe(inside(other))
        const held = yield* reserved(mine.claim, now).pipe(inside(one))
        assert.strictEqual(yield* kindOf(theirs.claim, now).pipe(inside(other)), "in_progress")
        yield* reserved(unrelated.claim, now).pipe(inside(other))
        assert.isFalse(yield* spend(held).pipe(inside(other)))
        assert.isTrue(yield* spend(held).pipe(inside(one)))
        yield* reserved(theirs.claim, now).pipe(inside(other))
      })
    )

    it.effect("sweeps parked codes when they expire, except a reserved one", () =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        yield* park(freshText("code"), now)
        const { claim } = yield* park(freshText("code"), DateTime.add(now, { days: 1 }))
        const early = DateTime.subtract(now, { seconds: 30 })
        const held = yield* reserved((yield* park(freshText("code"), now)).claim, early)
        assert.strictEqual(yield* (yield* StoreAuthorizations).sweep(), 1)
        assert.isTrue(yield* spend(held))
        assert.strictEqual(yield* kindOf(claim, now), "reserved")
      }).pipe((test) => Effect.flatMap(givenOrganization(), (organization) => test.pipe(inside(organization))))
    )
  }
}

/** Checks an adapter against the contract of `StoreConnections` and its related ports. */
export const storeConnectionsContract = runContract(storeConnections)
