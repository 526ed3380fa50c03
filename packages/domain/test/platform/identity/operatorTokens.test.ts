import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, OperatorScope } from "@parley/domain/kernel"
import {
  authorizeOperator,
  isAddressAllowed,
  issueOperatorToken,
  listOperatorTokens,
  NewOperatorToken,
  revokeOperatorToken,
  TokenSigner
} from "@parley/domain/platform"
import { asOperator, TestKit } from "@parley/testkit"
import { DateTime, Effect, type Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"

const input = (overrides: Partial<NewOperatorToken> = {}) =>
  Effect.map(DateTime.now, (now): NewOperatorToken => ({
    name: "Billing",
    scopes: ["rate_cards.read"],
    allowedAddresses: [],
    expiresAt: DateTime.add(now, { days: 30 }),
    ...overrides
  }))

const issue = (overrides: Partial<NewOperatorToken> = {}) => Effect.flatMap(input(overrides), issueOperatorToken)

const authorized = (token: Redacted.Redacted, address: string | null = "203.0.113.7") =>
  Effect.gen(function* () {
    const claims = yield* (yield* TokenSigner).verify(token, ["operator"])
    return claims.use === "operator" ? yield* authorizeOperator(claims, address) : yield* Effect.die("another use")
  })

const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("an operator token", () => {
  it.effect("gives its scopes, until it is revoked", () =>
    Effect.gen(function* () {
      const { operatorToken, token } = yield* issue({ scopes: ["rate_cards.read", "audit.read"] })
      const actor = yield* authorized(token)
      assert.deepStrictEqual(Array.from(actor.scopes), ["rate_cards.read", "audit.read"])
      assert.strictEqual(actor.tokenId, operatorToken.id)
      const [listed] = yield* listOperatorTokens({ limit: 1, after: null })
      assert.strictEqual(listed?.createdBy, "testkit")
      assert.isNotNull(listed?.lastUsedAt)
      yield* revokeOperatorToken({ id: operatorToken.id })
      assert.strictEqual(yield* refusal(authorized(token)), "TokenRevoked")
      yield* revokeOperatorToken({ id: operatorToken.id })
    }).pipe(asOperator, Effect.provide(TestKit.layer))
  )

  it.effect("ends after 1 to 366 days", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      for (const expiresAt of [
        now,
        DateTime.subtract(now, { days: 1 }),
        DateTime.add(now, { hours: 23, minutes: 59 }),
        DateTime.add(now, { days: 366, seconds: 1 })
      ]) {
        const failure = yield* Effect.flip(issue({ expiresAt }))
        assert.strictEqual(failure._tag, "ValidationFailed")
      }
      yield* issue({ expiresAt: DateTime.add(now, { days: 366 }) })
      // The caller adds one day to its own time, before the use case reads the time.
      yield* issue({ expiresAt: DateTime.add(now, { hours: 23, minutes: 59, seconds: 59 }) })
      const { token } = yield* issue({ expiresAt: DateTime.add(now, { days: 1 }) })
      yield* TestClock.adjust("23 hours")
      yield* authorized(token)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* refusal(authorized(token)), "TokenExpired")
    }).pipe(asOperator, Effect.provide(TestKit.layer))
  )

  it.effect("issues, lists and revokes no operator tokens, with any scope", () =>
    Effect.gen(function* () {
      const { operatorToken, token } = yield* issue({ scopes: [...OperatorScope.literals] as never })
      const actor = yield* authorized(token)
      const asProgram = Effect.provideService(CurrentActor, actor)
      assert.strictEqual(yield* refusal(asProgram(issue())), "PermissionDenied")
      assert.strictEqual(yield* refusal(asProgram(listOperatorTokens({ limit: 1, after: null }))), "PermissionDenied")
      assert.strictEqual(yield* refusal(asProgram(revokeOperatorToken({ id: operatorToken.id }))), "PermissionDenied")
    }).pipe(asOperator, Effect.provide(TestKit.layer))
  )

  it("accepts networks in CIDR notation without host bits only", () => {
    const read = Schema.decodeUnknownResult(NewOperatorToken.fields.allowedAddresses)
    for (const network of ["203.0.113.0/24", "203.0.113.7/32", "0.0.0.0/0", "2001:db8::/32", "::1/128"]) {
      assert.isTrue(Result.isSuccess(read([network])), network)
    }
    for (const network of ["203.0.113.7", "203.0.113.7/24", "203.0.113.0/33", "2001:db8::1/32", "/24", "", "any"]) {
      assert.isTrue(Result.isFailure(read([network])), network)
    }
    assert.isTrue(Result.isFailure(read(Array.from({ length: 51 }, () => "203.0.113.0/24"))))
  })

  it("accepts a call by the whole address of the caller", () => {
    const token = { allowedAddresses: ["203.0.113.0/24", "2001:db8:1::/48"] }
    for (const address of ["203.0.113.0", "203.0.113.255", "::ffff:203.0.113.9", "2001:db8:1:ffff::1"]) {
      assert.isTrue(isAddressAllowed(token, address), address)
    }
    for (const address of ["203.0.114.0", "2001:db8:2::1", "::ffff:10.0.0.1", "localhost", "", null]) {
      assert.isFalse(isAddressAllowed(token, address), String(address))
    }
    assert.isTrue(isAddressAllowed({ allowedAddresses: [] }, null))
  })
})
