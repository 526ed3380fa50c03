import { AutomationTokenId, OperatorTokenId, OrganizationId, SessionId, UserId, Vault } from "@parley/domain/kernel"
import { type Claims, TokenSigner } from "@parley/domain/platform"
import { DateTime, Effect, Redacted } from "effect"
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto"
import { issuer, type KeyStore, inMinutes, now } from "./fixtures.ts"

const userId = UserId.make("0195b1a0-0000-7000-8000-00000000000a")
const organizationId = OrganizationId.make("0195b1a0-0000-7000-8000-00000000000b")

export const sessionClaims: Claims = {
  use: "session",
  userId,
  sessionId: SessionId.make("0195b1a0-0000-7000-8000-00000000000c")
}
export const automationClaims: Claims = {
  use: "automation",
  tokenId: AutomationTokenId.make("0195b1a0-0000-7000-8000-00000000000d"),
  organizationId
}
export const docsClaims: Claims = { use: "docs", userId, organizationId, sessionId: sessionClaims.sessionId }
export const operatorClaims: Claims = {
  use: "operator",
  tokenId: OperatorTokenId.make("0195b1a0-0000-7000-8000-00000000000f")
}

const nowSeconds = DateTime.toEpochMillis(now) / 1000

/** Text as it is, anything else as JSON, in base64url. */
export const encode = (part: unknown) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url")

export const signEd25519 = (input: string, key: KeyObject) => signBytes(null, Buffer.from(input), key)

export type Json = Record<string, unknown>

/** Everything that an attacker could wish for, and the private key on top. */
export const makeKit = Effect.fnUntraced(function* (store: KeyStore) {
  const signer = yield* TokenSigner
  const vault = yield* Vault
  const [record] = store.state.records
  if (record === undefined) return yield* Effect.die("There is no key")
  const { kid } = record
  const ours = createPrivateKey(Redacted.value(yield* vault.open(`signing-key:${kid}`, record.sealedPrivateKey)))
  const theirs = generateKeyPairSync("ed25519").privateKey
  const issue = (claims: Claims) => Effect.map(signer.sign(claims, inMinutes(15)), Redacted.value)
  const tokens = {
    session: yield* issue(sessionClaims),
    automation: yield* issue(automationClaims),
    docs: yield* issue(docsClaims),
    operator: yield* issue(operatorClaims)
  }
  const header = { alg: "EdDSA", kid, typ: "at+jwt" }
  const payload = {
    iss: issuer,
    aud: "parley",
    sub: userId,
    sid: sessionClaims.sessionId,
    jti: "0195b1a0-0000-7000-8000-0000000000ee",
    iat: nowSeconds,
    exp: nowSeconds + 900
  }
  const forge = (head: unknown, body: unknown, key: KeyObject = ours) => {
    const input = `${encode(head)}.${encode(body)}`
    return `${input}.${signEd25519(input, key).toString("base64url")}`
  }
  return {
    kid,
    ours,
    theirs,
    publicKey: createPublicKey(ours),
    publicJwk: createPublicKey(ours).export({ format: "jwk" }),
    tokens,
    header,
    payload,
    nowSeconds,
    /** Any header and any payload, signed. */
    forge,
    /** The good payload under a header with this changed, signed. */
    withHeader: (change: Json, key?: KeyObject) => forge({ ...header, ...change }, payload, key),
    /** The good header over a payload with this changed, signed. */
    withPayload: (change: Json) => forge(header, { ...payload, ...change })
  }
})

export type Kit = Effect.Success<ReturnType<typeof makeKit>>
