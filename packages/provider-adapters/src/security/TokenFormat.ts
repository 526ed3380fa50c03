import { AutomationTokenId, OperatorTokenId, OrganizationId, SessionId, UserId } from "@parley/domain/kernel"
import type { Claims } from "@parley/domain/platform"
import { Option, Schema } from "effect"

/** Only signature algorithm, as named in tokens and JSON web keys. */
export const algorithm = "EdDSA"

const typeOf = { session: "at+jwt", automation: "at+jwt", docs: "docs+jwt", operator: "operator+jwt" } as const

const Header = Schema.Struct({
  alg: Schema.Literal(algorithm),
  kid: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/)),
  typ: Schema.Literals(["at+jwt", "docs+jwt", "operator+jwt"])
})

// Last second that a JavaScript date can represent.
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000 }))

const common = {
  jti: Schema.NonEmptyString,
  iat: Seconds,
  exp: Seconds,
  nbf: Schema.optionalKey(Seconds),
  iss: Schema.String
}

const absent = Schema.optionalKey(Schema.Never)

const Payload = Schema.Union([
  Schema.Struct({ ...common, aud: Schema.Literal("parley"), sub: UserId, sid: SessionId, org: absent }),
  Schema.Struct({ ...common, aud: Schema.Literal("parley"), sub: AutomationTokenId, org: OrganizationId, sid: absent }),
  Schema.Struct({ ...common, aud: Schema.Literal("docs"), sub: UserId, org: OrganizationId, sid: SessionId }),
  Schema.Struct({ ...common, aud: Schema.Literal("operator"), sub: OperatorTokenId, org: absent, sid: absent })
])
type Payload = typeof Payload.Type

const decodeHeader = Schema.decodeUnknownOption(Header, { onExcessProperty: "error" })
const decodePayload = Schema.decodeUnknownOption(Payload)

/** Token in the format of Parley. Only the signature proves its origin. */
export interface ReadToken {
  readonly kid: string
  readonly claims: Claims
  readonly issuer: string
  readonly issuedAt: number
  readonly notBefore: number
  readonly expiresAt: number
}

const claimsOf = (payload: Payload): Claims => {
  if (payload.aud === "docs") {
    return { use: "docs", userId: payload.sub, organizationId: payload.org, sessionId: payload.sid }
  }
  if (payload.aud === "operator") return { use: "operator", tokenId: payload.sub }
  return payload.sid !== undefined
    ? { use: "session", userId: payload.sub, sessionId: payload.sid }
    : { use: "automation", tokenId: payload.sub, organizationId: payload.org }
}

const subjectOf = (claims: Claims) => {
  switch (claims.use) {
    case "session":
      return { aud: "parley", sub: claims.userId, sid: claims.sessionId }
    case "automation":
      return { aud: "parley", sub: claims.tokenId, org: claims.organizationId }
    case "docs":
      return { aud: "docs", sub: claims.userId, org: claims.organizationId, sid: claims.sessionId }
    case "operator":
      return { aud: "operator", sub: claims.tokenId }
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

// Accepts only the canonical encoding: no padding, spare bits, spaces, duplicate keys or invalid UTF-8.
const decode = Option.liftThrowable((part: string) => {
  const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString())
  return encode(value) === part ? value : undefined
})

const compact = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/

const isCanonical = (part: string) => Buffer.from(part, "base64url").toString("base64url") === part

/** Reads a token strictly; none if the format differs. */
export const readToken = (token: string): Option.Option<ReadToken> => {
  const [, first, second, signature] = compact.exec(token) ?? []
  if (first === undefined || second === undefined || signature === undefined) return Option.none()
  if (!isCanonical(signature)) return Option.none()
  return Option.flatMap(Option.flatMap(decode(first), decodeHeader), (header) =>
    Option.flatMap(Option.flatMap(decode(second), decodePayload), (payload) => {
      const claims = claimsOf(payload)
      if (header.typ !== typeOf[claims.use]) return Option.none()
      return Option.some({
        kid: header.kid,
        claims,
        issuer: payload.iss,
        issuedAt: payload.iat * 1000,
        notBefore: (payload.nbf ?? 0) * 1000,
        expiresAt: payload.exp * 1000
      })
    })
  )
}

/** Content of a token before signing. */
export interface UnsignedToken {
  readonly kid: string
  readonly claims: Claims
  readonly issuer: string
  readonly id: string
  readonly issuedAt: number
  readonly expiresAt: number
}

const toSeconds = (millis: number) => Math.floor(millis / 1000)

/** Writes the protected header and the payload of a token. */
export const writeToken = ({ claims, expiresAt, id, issuedAt, issuer, kid }: UnsignedToken) => ({
  header: { alg: algorithm, kid, typ: typeOf[claims.use] },
  payload: Buffer.from(
    JSON.stringify({
      iss: issuer,
      ...subjectOf(claims),
      jti: id,
      iat: toSeconds(issuedAt),
      exp: toSeconds(expiresAt)
    })
  )
})
