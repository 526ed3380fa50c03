import { assert } from "@effect/vitest"
import { SessionId, transact } from "@parley/domain/kernel"
import { DocsCodeRedemption, DocsCodes } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, freshText, givenMember, givenOrganization, inside, present } from "../../given.ts"

const given = Effect.gen(function* () {
  const now = yield* present
  const codes = yield* DocsCodes
  const redemption = yield* DocsCodeRedemption
  const organization = yield* givenOrganization()
  const { user } = yield* givenMember(organization)
  const digest = freshText("code")
  const sessionId = freshId(SessionId)
  const expiresAt = after(now, "60 seconds")
  const insert = codes.insert(digest, { userId: user.id, sessionId }, expiresAt).pipe(inside(organization))
  const redeem = (at: DateTime.Utc = now) => transact(redemption.redeem(digest, at))
  const sweep = codes.sweep().pipe(inside(organization))
  return { digest, expiresAt, insert, now, organization, redeem, redemption, sessionId, sweep, user }
})

export const docsCodes: StorageContract = {
  port: "DocsCodes",
  promises: (it) => {
    it.effect("names the reader, the tenant and the parent session of each code", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* given, yield* given]
        yield* transact(one.insert)
        yield* transact(other.insert)
        assert.deepStrictEqual(
          { ...(yield* one.redeem()) },
          { organizationId: one.organization.id, sessionId: one.sessionId, userId: one.user.id }
        )
        assert.deepStrictEqual(
          { ...(yield* other.redeem()) },
          { organizationId: other.organization.id, sessionId: other.sessionId, userId: other.user.id }
        )
      })
    )

    it.effect("redeems a code once", () =>
      Effect.gen(function* () {
        const { insert, redeem } = yield* given
        yield* transact(insert)
        assert.isNotNull(yield* redeem())
        assert.isNull(yield* redeem())
      })
    )

    it.effect("redeems a code until it ends, not from then on", () =>
      Effect.gen(function* () {
        const [late, intime] = [yield* given, yield* given]
        yield* transact(late.insert)
        yield* transact(intime.insert)
        assert.isNull(yield* late.redeem(late.expiresAt))
        assert.isNotNull(yield* intime.redeem(DateTime.subtract(intime.expiresAt, { milliseconds: 1 })))
      })
    )

    it.effect("redeems no code that was never made", () =>
      Effect.gen(function* () {
        const { redeem } = yield* given
        assert.isNull(yield* redeem())
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const { digest, insert, now, redeem, redemption } = yield* given
        yield* insert.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.isNull(yield* redeem())
        yield* transact(insert)
        yield* redemption.redeem(digest, now).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.isNotNull(yield* redeem())
      })
    )

    it.effect("sweeps out what expired more than a day ago, and nothing else", () =>
      Effect.gen(function* () {
        const old = yield* given
        yield* transact(old.insert)
        yield* TestClock.adjust("25 hours")
        const young = yield* given
        yield* transact(young.insert)
        assert.strictEqual(yield* young.sweep, 0)
        assert.strictEqual(yield* old.sweep, 1)
        assert.strictEqual(yield* old.sweep, 0)
        assert.isNull(yield* old.redeem())
        assert.isNotNull(yield* young.redeem())
      })
    )

    it.effect("only the first of many concurrent redemptions of a code succeeds", () =>
      Effect.gen(function* () {
        const { insert, redeem } = yield* given
        yield* transact(insert)
        const owners = yield* Effect.replicateEffect(redeem(), 50, { concurrency: "unbounded" })
        assert.lengthOf(
          owners.filter((owner) => owner !== null),
          1
        )
      })
    )
  }
}

/** Contract of `DocsCodes` with its `DocsCodeRedemption`. */
export const docsCodesContract = runContract(docsCodes)
