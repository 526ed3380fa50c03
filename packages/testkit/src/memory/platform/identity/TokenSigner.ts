import { AutomationTokenId, OperatorTokenId, OrganizationId, SessionId, UserId } from "@parley/domain/kernel"
import { type Claims, type SigningKeySummary, TokenExpired, TokenInvalid, TokenSigner } from "@parley/domain/platform"
import { DateTime, Effect, Layer, Redacted, Ref, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Proof } from "../../../security/Proof.ts"

const Body = Schema.fromJsonString(
  Schema.Struct({
    claims: Schema.Union([
      Schema.Struct({ use: Schema.Literal("session"), userId: UserId, sessionId: SessionId }),
      Schema.Struct({ use: Schema.Literal("automation"), tokenId: AutomationTokenId, organizationId: OrganizationId }),
      Schema.Struct({
        use: Schema.Literal("docs"),
        userId: UserId,
        organizationId: OrganizationId,
        sessionId: SessionId
      }),
      Schema.Struct({ use: Schema.Literal("operator"), tokenId: OperatorTokenId })
    ]),
    expiresAt: Schema.DateTimeUtcFromString,
    kid: Schema.String
  })
)
const write = Schema.encodeEffect(Body)
const read = Schema.decodeEffect(Body)

interface Key {
  readonly kid: string
  readonly x: string
  readonly createdAt: DateTime.Utc
}

/** Signs with a keyed code instead of a signature. Keys exist for the lifetime of the layer. */
export const layer = Layer.effect(
  TokenSigner,
  Effect.gen(function* () {
    const proof = yield* Proof
    const random = yield* SecureRandom.SecureRandom

    const newKey = Effect.gen(function* () {
      const x = Base64Url.encode(yield* random.randomBytes(32))
      return { kid: yield* random.uuidV7(), x, createdAt: yield* DateTime.now }
    })
    const keys = yield* Ref.make<readonly [Key, ...ReadonlyArray<Key>]>([yield* newKey])
    const sealOf = (key: Key, body: string) => proof.of("token", [key.x, body])

    return TokenSigner.of({
      sign: Effect.fnUntraced(function* (claims: Claims, expiresAt) {
        const [key] = yield* Ref.get(keys)
        const body = Base64Url.encode(yield* write({ claims, expiresAt, kid: key.kid }))
        return Redacted.make(`${body}.${yield* sealOf(key, body)}`)
      }, Effect.orDie),
      verify: Effect.fnUntraced(function* (token, use) {
        const [body = "", seal, ...others] = Redacted.value(token).split(".")
        if (others.length > 0) return yield* new TokenInvalid()
        const { claims, expiresAt, kid } = yield* Effect.fromResult(Base64Url.decodeString(body)).pipe(
          Effect.flatMap(read),
          Effect.mapError(() => new TokenInvalid())
        )
        const key = (yield* Ref.get(keys)).find((key) => key.kid === kid)
        if (key === undefined || seal !== (yield* sealOf(key, body)) || !use.includes(claims.use)) {
          return yield* new TokenInvalid()
        }
        if (DateTime.isLessThanOrEqualTo(expiresAt, yield* DateTime.now)) return yield* new TokenExpired()
        return { ...claims, expiresAt }
      }),
      publicKeys: Effect.map(Ref.get(keys), (keys) =>
        keys.map(({ kid, x }) => ({ kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" }))
      ),
      keys: Effect.map(Ref.get(keys), (keys) =>
        keys.map(({ createdAt, kid }, index): SigningKeySummary => ({ kid, createdAt, active: index === 0 }))
      ),
      rotate: Effect.flatMap(newKey, (key) =>
        Ref.modify(keys, (keys) => {
          const summary: SigningKeySummary = { kid: key.kid, createdAt: key.createdAt, active: true }
          return [summary, [key, ...keys] as const]
        })
      )
    })
  })
)
