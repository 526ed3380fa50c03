import { Context, type Effect, type Redacted } from "effect"

/** Seals secrets for storage and proves texts. `context` is bound in: what was sealed for one place opens in no other. */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (context: string, secret: Redacted.Redacted) => Effect.Effect<string>
    readonly open: (context: string, sealed: string) => Effect.Effect<Redacted.Redacted>
    /** A keyed digest, for fingerprints of what must not be guessable from the store. */
    readonly fingerprint: (context: string, text: string) => Effect.Effect<string>
    /** A keyed digest by this key alone, which stays the same whatever becomes of the master keys. */
    readonly mac: (key: Redacted.Redacted, text: string) => Effect.Effect<string>
    /** A plain SHA-256 in base64url, as a lookup key for random secrets. It is also the S256 challenge of a PKCE verifier. */
    readonly digest: (secret: Redacted.Redacted) => Effect.Effect<string>
  }
>()("@parley/domain/kernel/Vault") {}
