import { assert } from "@effect/vitest"
import { OperatorTokenId, transact } from "@parley/domain/kernel"
import { OperatorToken, OperatorTokens } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, plain, present } from "../../given.ts"

const newToken = (now: DateTime.Utc, overrides: Partial<OperatorToken> = {}) =>
  new OperatorToken({
    id: freshId(OperatorTokenId),
    name: "Rate cards “nightly” \\ 100 %",
    scopes: ["rate_cards.read", "rate_cards.write"],
    allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"],
    createdBy: "Ada “L.”",
    createdAt: now,
    expiresAt: after(now, "30 days"),
    lastUsedAt: null,
    revokedAt: null,
    ...overrides
  })

const given = Effect.fnUntraced(function* (overrides: Partial<OperatorToken> = {}) {
  const now = yield* present
  const tokens = yield* OperatorTokens
  const token = newToken(now, overrides)
  yield* transact(tokens.insert(token))
  return { now, token, tokens }
})

const found = ({ id }: OperatorToken) =>
  Effect.map(
    Effect.flatMap(OperatorTokens, (tokens) => tokens.find(id)),
    (token) => (token === null ? null : plain.operatorToken(token))
  )

const iso = (at: DateTime.Utc | null | undefined) => (at ? DateTime.formatIso(at) : null)

/** Contract of `OperatorTokens`. The tokens belong to no organization, so each test looks for its own. */
export const operatorTokens: StorageContract = {
  port: "OperatorTokens",
  promises: (it) => {
    it.effect("finds a token with every field, and nothing under an unknown id", () =>
      Effect.gen(function* () {
        const { now, token, tokens } = yield* given()
        assert.deepStrictEqual(yield* found(token), plain.operatorToken(token))
        const used = yield* given({ allowedAddresses: [], scopes: ["audit.read"], lastUsedAt: now, revokedAt: now })
        assert.deepStrictEqual(yield* found(used.token), plain.operatorToken(used.token))
        assert.isNull(yield* tokens.find(freshId(OperatorTokenId)))
      })
    )

    it.effect("lists tokens in pages, newest first", () =>
      Effect.gen(function* () {
        const first = (yield* given()).token
        const second = (yield* given()).token
        const { token: third, tokens } = yield* given()
        const ids = (yield* tokens.list({ limit: 2, after: null })).map(({ id }) => id)
        assert.deepStrictEqual(ids, [third.id, second.id])
        const next = yield* tokens.list({ limit: 1, after: [second.id] })
        assert.deepStrictEqual(
          next.map(({ id }) => id),
          [first.id]
        )
      })
    )

    it.effect("revokes a token for the next read, once", () =>
      Effect.gen(function* () {
        const { now, token, tokens } = yield* given()
        const other = yield* given()
        const revoked = yield* transact(tokens.revoke(token.id, now))
        assert.strictEqual(iso(revoked.revokedAt), iso(now))
        assert.strictEqual(iso((yield* tokens.find(token.id))?.revokedAt), iso(now))
        const again = yield* transact(tokens.revoke(token.id, after(now, "1 hour")))
        assert.strictEqual(iso(again.revokedAt), iso(now))
        assert.isNull((yield* tokens.find(other.token.id))?.revokedAt ?? null)
        const unknown = yield* Effect.flip(transact(tokens.revoke(freshId(OperatorTokenId), now)))
        assert.strictEqual(unknown._tag, "NotFound")
      })
    )

    it.effect("records the last use, and ignores unknown tokens", () =>
      Effect.gen(function* () {
        const { now, token, tokens } = yield* given()
        yield* tokens.touch(token.id, now)
        assert.strictEqual(iso((yield* tokens.find(token.id))?.lastUsedAt), iso(now))
        yield* tokens.touch(token.id, after(now, "5 minutes"))
        assert.strictEqual(iso((yield* tokens.find(token.id))?.lastUsedAt), iso(after(now, "5 minutes")))
        yield* tokens.touch(freshId(OperatorTokenId), now)
      })
    )
  }
}

export const operatorTokensContract = runContract(operatorTokens)
