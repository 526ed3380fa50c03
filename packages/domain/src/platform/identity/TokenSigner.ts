import { Context, type DateTime, type Effect, type Redacted } from "effect"
import type { AutomationTokenId, OperatorTokenId, OrganizationId, SessionId, UserId } from "../../kernel/index.ts"
import type { TokenExpired, TokenInvalid } from "./errors.ts"

/** Minimal claims of a token. */
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
  | { readonly use: "operator"; readonly tokenId: OperatorTokenId }

/** Public key of this service, as a JSON web key. */
export interface PublicKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly kid: string
  readonly alg: string
  readonly use: string
}

/** Signing key as shown to operators. */
export interface SigningKeySummary {
  readonly kid: string
  readonly createdAt: DateTime.Utc
  readonly active: boolean
}

/** Signs and verifies tokens of this service. */
export class TokenSigner extends Context.Service<
  TokenSigner,
  {
    readonly sign: (claims: Claims, expiresAt: DateTime.Utc) => Effect.Effect<Redacted.Redacted>
    readonly verify: (
      token: Redacted.Redacted,
      use: ReadonlyArray<Claims["use"]>
    ) => Effect.Effect<Claims & { readonly expiresAt: DateTime.Utc }, TokenInvalid | TokenExpired>
    /** Public keys of all tokens that are still in use. */
    readonly publicKeys: Effect.Effect<ReadonlyArray<PublicKey>>
    readonly keys: Effect.Effect<ReadonlyArray<SigningKeySummary>>
    /** Signs with a new key from now on. Tokens of the old keys stay valid. */
    readonly rotate: Effect.Effect<SigningKeySummary>
  }
>()("@parley/domain/platform/identity/TokenSigner") {}

/** Stored signing key with a sealed private half. */
export interface SigningKeyRecord {
  readonly kid: string
  readonly sealedPrivateKey: string
  readonly publicKey: string
  readonly createdAt: DateTime.Utc
}

/** Signing keys shared by all nodes. The newest signs; all verify. */
export class SigningKeys extends Context.Service<
  SigningKeys,
  {
    /** Newest first. */
    readonly all: Effect.Effect<ReadonlyArray<SigningKeyRecord>>
    readonly insert: (key: SigningKeyRecord) => Effect.Effect<void>
    /** Stores the key only when none exists: of several nodes that start together, one succeeds. */
    readonly insertFirst: (key: SigningKeyRecord) => Effect.Effect<void>
  }
>()("@parley/domain/platform/identity/SigningKeys") {}
