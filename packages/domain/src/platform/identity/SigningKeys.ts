import { Context, type DateTime, type Effect } from "effect"

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
