import { assert } from "@effect/vitest"
import { AutomationTokenId, OperatorTokenId, OrganizationId, SessionId, UserId } from "@parley/domain/kernel"
import { type Claims, TokenSigner } from "@parley/domain/platform"
import { DateTime, Effect, Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import { runContract, type SecurityContract } from "../../contract.ts"
import { after, edited, freshId, present } from "../../given.ts"

const uses: ReadonlyArray<Claims["use"]> = ["session", "automation", "docs", "operator"]

const claimsFor = (use: Claims["use"]): Claims => {
  switch (use) {
    case "session":
      return { use, userId: freshId(UserId), sessionId: freshId(SessionId) }
    case "automation":
      return { use, tokenId: freshId(AutomationTokenId), organizationId: freshId(OrganizationId) }
    case "docs":
      return {
        use,
        userId: freshId(UserId),
        organizationId: freshId(OrganizationId),
        sessionId: freshId(SessionId)
      }
    case "operator":
      return { use, tokenId: freshId(OperatorTokenId) }
  }
}

/** Tokens tell time in whole seconds. */
const wholeSecond = Effect.map(present, (now) => DateTime.startOf(now, "second"))

const sign = (claims: Claims, expiresAt: DateTime.Utc) =>
  Effect.flatMap(TokenSigner, (signer) => signer.sign(claims, expiresAt))

const verify = (token: Redacted.Redacted, use: ReadonlyArray<Claims["use"]> = uses) =>
  Effect.flatMap(TokenSigner, (signer) => signer.verify(token, use))

const refusal = (text: string) => Effect.map(Effect.flip(verify(Redacted.make(text))), ({ _tag }) => _tag)

export const tokenSigner: SecurityContract = {
  port: "TokenSigner",
  promises: (it) => {
    it.effect.each(uses)("verifies a %s token as it was signed", (use) =>
      Effect.gen(function* () {
        const expiresAt = after(yield* wholeSecond, "15 minutes")
        const claims = claimsFor(use)
        const { expiresAt: read, ...verified } = yield* verify(yield* sign(claims, expiresAt), [use])
        assert.deepStrictEqual({ ...verified }, { ...claims })
        assert.strictEqual(DateTime.toEpochMillis(read), DateTime.toEpochMillis(expiresAt))
      })
    )

    it.effect.each(uses)("refuses a %s token for any other use", (use) =>
      Effect.gen(function* () {
        const token = yield* sign(claimsFor(use), after(yield* wholeSecond, "15 minutes"))
        const others = uses.filter((other) => other !== use)
        for (const wanted of [others, ...others.map((other) => [other]), []]) {
          assert.strictEqual((yield* Effect.flip(verify(token, wanted)))._tag, "TokenInvalid")
        }
        assert.strictEqual((yield* verify(token, uses)).use, use)
      })
    )

    it.effect("refuses a token from its end on, and not before", () =>
      Effect.gen(function* () {
        const expiresAt = after(yield* wholeSecond, "15 minutes")
        const token = yield* sign(claimsFor("session"), expiresAt)
        const wait = DateTime.toEpochMillis(expiresAt) - DateTime.toEpochMillis(yield* DateTime.now)
        yield* TestClock.adjust(wait - 1000)
        yield* verify(token)
        yield* TestClock.adjust(1000)
        assert.strictEqual((yield* Effect.flip(verify(token)))._tag, "TokenExpired")
        yield* TestClock.adjust("10 days")
        assert.strictEqual((yield* Effect.flip(verify(token)))._tag, "TokenExpired")
      })
    )

    it.effect.each(uses)("refuses a %s token changed in any place", (use) =>
      Effect.gen(function* () {
        const token = Redacted.value(yield* sign(claimsFor(use), after(yield* wholeSecond, "15 minutes")))
        const parts = token.split(".")
        for (const [index, part] of parts.entries()) {
          for (const forged of edited(part)) {
            assert.strictEqual(yield* refusal(parts.with(index, forged).join(".")), "TokenInvalid")
          }
          assert.strictEqual(yield* refusal(parts.with(index, "").join(".")), "TokenInvalid")
        }
      })
    )

    it.effect.each(uses)(
      "refuses a %s token with the signature of another token, without one, or with more parts",
      (use) =>
        Effect.gen(function* () {
          const expiresAt = after(yield* wholeSecond, "15 minutes")
          const token = Redacted.value(yield* sign(claimsFor(use), expiresAt))
          const signed = token.slice(0, token.lastIndexOf("."))
          const signature = token.slice(token.lastIndexOf(".") + 1)
          const others = yield* Effect.forEach(uses, (other) => sign(claimsFor(other), expiresAt))
          const forged = [
            ...others.map((other) => `${signed}.${Redacted.value(other).split(".").at(-1)}`),
            ...others.map((other) => `${Redacted.value(other).split(".").slice(0, -1).join(".")}.${signature}`),
            signed,
            `${signed}.`,
            `${signed}.undefined`,
            `${token}.`,
            `${token}.${signature}`,
            `.${token}`
          ]
          for (const text of forged) assert.strictEqual(yield* refusal(text), "TokenInvalid", text)
        })
    )

    it.effect.each(uses)("refuses a %s token that names no signature algorithm", (use) =>
      Effect.gen(function* () {
        const token = Redacted.value(yield* sign(claimsFor(use), after(yield* wholeSecond, "15 minutes")))
        const claims = token.split(".").at(-2) ?? ""
        for (const alg of ["none", "None", "HS256", ""]) {
          const header = Base64Url.encode(JSON.stringify({ alg, typ: "JWT" }))
          for (const end of ["", ".", ".AAAA"]) {
            assert.strictEqual(yield* refusal(`${header}.${claims}${end}`), "TokenInvalid", `${alg}${end}`)
          }
        }
      })
    )

    it.effect("refuses what is no token at all", () =>
      Effect.gen(function* () {
        const texts = [
          "",
          ".",
          "..",
          "...",
          "x",
          "e30.e30.",
          "e30.e30.e30",
          "null",
          " ",
          "é🥐.🥐.🥐",
          "a".repeat(20_000)
        ]
        for (const text of texts) assert.strictEqual(yield* refusal(text), "TokenInvalid")
      })
    )

    it.effect("signs with a new key after a rotation, and still knows the old tokens", () =>
      Effect.gen(function* () {
        const signer = yield* TokenSigner
        const expiresAt = after(yield* wholeSecond, "15 minutes")
        const old = yield* sign(claimsFor("session"), expiresAt)
        const before = yield* signer.keys
        yield* TestClock.adjust("1 second")
        const rotated = yield* signer.rotate
        const keys = yield* signer.keys
        assert.lengthOf(keys, before.length + 1)
        assert.isTrue(rotated.active)
        assert.deepStrictEqual(
          keys.filter(({ active }) => active).map(({ kid }) => kid),
          [rotated.kid]
        )
        yield* verify(old)
        yield* verify(yield* sign(claimsFor("session"), expiresAt))
        const published = (yield* signer.publicKeys).map(({ kid }) => kid)
        assert.includeMembers(
          published,
          keys.map(({ kid }) => kid)
        )
      })
    )

    it.effect("publishes no private half of a key", () =>
      Effect.gen(function* () {
        for (const key of yield* (yield* TokenSigner).publicKeys) {
          assert.sameMembers(Object.keys(key), ["kty", "crv", "x", "kid", "alg", "use"])
        }
      })
    )

    it.effect("shows no token by accident", () =>
      Effect.gen(function* () {
        const token = yield* sign(claimsFor("session"), after(yield* wholeSecond, "15 minutes"))
        assert.notInclude(`${String(token)} ${JSON.stringify({ token })}`, Redacted.value(token))
      })
    )
  }
}

export const tokenSignerContract = runContract(tokenSigner)
