import { type PublicKey, type SigningKeyRecord, Vault } from "@parley/domain"
import { type DateTime, Effect, Redacted, Schema } from "effect"
import {
  calculateJwkThumbprint,
  type CryptoKey,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8
} from "jose"
import { algorithm } from "./TokenFormat.ts"

/** A stored signing key cannot be used. It is a defect: somebody else wrote to the store. */
export class SigningKeyBroken extends Schema.TaggedError<SigningKeyBroken>()("SigningKeyBroken", {
  kid: Schema.String
}) {
  override get message() {
    return `The stored signing key ${this.kid} cannot be used: its public half is not the one it was stored with.`
  }
}

/** A key that tokens are verified with. */
export interface VerifyingKey {
  readonly record: SigningKeyRecord
  readonly published: PublicKey
  readonly key: CryptoKey
}

/** A key that tokens are signed with. */
export interface SigningKey {
  readonly kid: string
  readonly key: CryptoKey
}

const Jwk = Schema.Struct({ kty: Schema.Literal("OKP"), crv: Schema.Literal("Ed25519"), x: Schema.String })
const decodeJwk = Schema.decodeUnknownEffect(Schema.fromJsonString(Jwk))

const sealContext = (kid: string) => `signing-key:${kid}`

/** Makes a key to be stored. Its id is the thumbprint of its public half, so no other key can have it. */
export const makeSigningKey = Effect.fnUntraced(function* (createdAt: DateTime.Utc) {
  const vault = yield* Vault
  const { privateKey, publicKey } = yield* Effect.promise(() =>
    generateKeyPair(algorithm, { crv: "Ed25519", extractable: true })
  )
  const jwk = yield* Effect.promise(() => exportJWK(publicKey))
  const kid = yield* Effect.promise(() => calculateJwkThumbprint(jwk))
  const pem = Redacted.make(yield* Effect.promise(() => exportPKCS8(privateKey)))
  const record: SigningKeyRecord = {
    kid,
    sealedPrivateKey: yield* vault.seal(sealContext(kid), pem),
    publicKey: JSON.stringify(jwk),
    createdAt
  }
  return record
})

/** The public half of a stored key. */
export const openVerifyingKey = Effect.fnUntraced(
  function* (record: SigningKeyRecord) {
    const jwk = yield* decodeJwk(record.publicKey)
    if ((yield* Effect.promise(() => calculateJwkThumbprint(jwk))) !== record.kid) {
      return yield* new SigningKeyBroken({ kid: record.kid })
    }
    const opened: VerifyingKey = {
      record,
      published: { ...jwk, kid: record.kid, alg: algorithm, use: "sig" },
      key: yield* Effect.promise(() => importJWK(jwk, algorithm))
    }
    return opened
  },
  (opening, { kid }) =>
    Effect.catchTags(opening, {
      SchemaError: () => Effect.die(new SigningKeyBroken({ kid })),
      SigningKeyBroken: Effect.die
    })
)

/** The private half of a stored key. */
export const openSigningKey = Effect.fnUntraced(function* (record: SigningKeyRecord) {
  const vault = yield* Vault
  const pem = yield* vault.open(sealContext(record.kid), record.sealedPrivateKey)
  const opened: SigningKey = {
    kid: record.kid,
    key: yield* Effect.promise(() => importPKCS8(Redacted.value(pem), algorithm))
  }
  return opened
})
