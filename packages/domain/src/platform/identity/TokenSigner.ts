import { Context, type DateTime, type Effect, type Redacted } from "effect"
import type { AutomationTokenId, OrganizationId, SessionId, UserId } from "../../kernel/index.ts"
import type { TokenExpired, TokenInvalid } from "./errors.ts"

/** What a token says: the least that is needed. */
export type Claims =
  | { readonly use: "session"; readonly userId: UserId; readonly sessionId: SessionId }
  | { readonly use: "automation"; readonly tokenId: AutomationTokenId; readonly organizationId: OrganizationId }
  | {
      readonly use: "docs"
      readonly userId: UserId
      readonly organizationId: OrganizationId
      /** The requesting session. The token ends with it. */
      readonly sessionId: SessionId
    }

/** A public key of ours, as a JSON web key. */
export interface PublicKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly kid: string
  readonly alg: string
  readonly use: string
}

/** A signing key, as an operator sees it. */
export interface SigningKeySummary {
  readonly kid: string
  readonly createdAt: DateTime.Utc
  readonly active: boolean
}

/** Signs tokens and tells whether a token is ours. */
export class TokenSigner extends Context.Service<
  TokenSigner,
  {
    readonly sign: (claims: Claims, expiresAt: DateTime.Utc) => Effect.Effect<Redacted.Redacted>
    readonly verify: (
      token: Redacted.Redacted,
      use: ReadonlyArray<Claims["use"]>
    ) => Effect.Effect<Claims & { readonly expiresAt: DateTime.Utc }, TokenInvalid | TokenExpired>
    /** Every key that a token still in use may be signed with. */
    readonly publicKeys: Effect.Effect<ReadonlyArray<PublicKey>>
    readonly keys: Effect.Effect<ReadonlyArray<SigningKeySummary>>
    /** Signs with a new key from now on; tokens of the old ones stay good. */
    readonly rotate: Effect.Effect<SigningKeySummary>
  }
>()("@parley/domain/platform/identity/TokenSigner") {}

/** A signing key as it is stored: its private half sealed. */
export interface SigningKeyRecord {
  readonly kid: string
  readonly sealedPrivateKey: string
  readonly publicKey: string
  readonly createdAt: DateTime.Utc
}

/** The signing keys that all nodes share. The newest signs; all verify. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    /** Newest first. */
    readonly all: Effect.Effect<ReadonlyArray<SigningKeyRecord>>
    readonly insert: (key: SigningKeyRecord) => Effect.Effect<void>
    /** Stores the key only when there is none yet: of many nodes that start at once, one does. */
    readonly insertFirst: (key: SigningKeyRecord) => Effect.Effect<void>
  }
>()("@parley/domain/platform/identity/SigningKeys") {}
