import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  type ParkedCodeClaim,
  type ReservedStoreCode,
  StoreAuthorizationRedemption,
  StoreAuthorizations,
  type StoreConnection
} from "@parley/domain/commerce"
import { DateTime, Duration, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshText, givenOrganization, inside, outside, present } from "../given.ts"
import { evening, givenConnection, morning, newConnection } from "./given.ts"

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

export const storeAuthorizations: StorageContract = {
  port: "StoreAuthorizations",
  promises: (it) => {
    it.effect("accepts each authorization state once, until it expires", () =>
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

    it.effect("deletes authorization states a day after they expire", () =>
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

/** Checks an adapter against the contract of `StoreAuthorizations`. */
export const storeAuthorizationsContract = runContract(storeAuthorizations)
