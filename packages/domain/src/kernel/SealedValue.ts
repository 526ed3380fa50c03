import { type Brand, Context, Effect, type Redacted } from "effect"
import { CurrentOrganization } from "./CurrentActor.ts"

/** Seals secrets for storage and computes keyed digests. `context` is part of the seal: a value opens only in the context of its sealing. */
export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (context: string, secret: Redacted.Redacted) => Effect.Effect<string>
    readonly open: (context: string, sealed: string) => Effect.Effect<Redacted.Redacted>
    /** Keyed digest, for values that must not be guessable from the store. */
    readonly fingerprint: (context: string, text: string) => Effect.Effect<string>
    /** HMAC SHA-256 in base64url, by this key alone. It is independent of the master keys. */
    readonly mac: (key: Redacted.Redacted<string | Uint8Array>, text: string) => Effect.Effect<string>
    /** Plain SHA-256 in base64url, as a lookup key for random secrets. It is also the S256 challenge of a PKCE verifier. */
    readonly digest: (secret: Redacted.Redacted) => Effect.Effect<string>
  }
>()("@parley/domain/kernel/Vault") {}

/** Scheme, host and port of a URL, such as `https://example.com:8443`. Omits default ports. */
export type Origin = string & Brand.Brand<"Origin">

const urlPattern = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#@]*)(?::(\d*))?(?=[/?#]|$)/iu

const defaultPorts: Readonly<Record<string, string>> = { http: "80", https: "443" }

/** The origin of a URL. Text that is not a URL is its own origin: it equals the same text only. */
export const originOf = (url: string): Origin => {
  const [, scheme, host, port = ""] = urlPattern.exec(url) ?? []
  if (scheme === undefined || host === undefined) return url as Origin
  const name = scheme.toLowerCase()
  const number = port.replace(/^0+(?=\d)/u, "")
  const suffix = number === "" || number === defaultPorts[name] ? "" : `:${number}`
  return `${name}://${host.toLowerCase()}${suffix}` as Origin
}

/**
 * Place of a sealed value. `origin`: Parley sends it to an origin that callers choose, and the value opens for that origin only. `configuration`:
 * Parley sends it to an origin from the configuration of the service only. `never_sent`: the value stays in the service.
 */
export type SealedPlace =
  | { readonly kind: "origin" }
  | { readonly kind: "configuration"; readonly reason: string }
  | { readonly kind: "never_sent"; readonly reason: string }

/** A kind of sealed value, with its place. */
export interface SealedValue {
  readonly name: string
  readonly place: SealedPlace
}

const fieldContext = Effect.fnUntraced(function* (owner: string, id: string, field: string) {
  return `${owner}/${(yield* CurrentOrganization).id}/${id}/${field}`
})

/** Prefix of values that are bound to an origin. Earlier releases sealed values without it. Those values open until they are written again. */
const originSuffix = ".origin"

/** Declares a write-only value that is sent to an origin. A value sealed for one origin does not open for another. */
export const defineOriginSealedValue = (owner: string, field: string) => {
  const bound = (id: string, origin: Origin) =>
    Effect.map(fieldContext(owner, id, field), (context) => `${context}@${origin}`)
  const seal = Effect.fnUntraced(function* (id: string, origin: Origin, secret: Redacted.Redacted) {
    return `${yield* (yield* Vault).seal(yield* bound(id, origin), secret)}${originSuffix}`
  })
  const open = Effect.fnUntraced(function* (id: string, origin: Origin, sealed: string) {
    const vault = yield* Vault
    return sealed.endsWith(originSuffix)
      ? yield* vault.open(yield* bound(id, origin), sealed.slice(0, -originSuffix.length))
      : yield* vault.open(yield* fieldContext(owner, id, field), sealed)
  })
  const place: Extract<SealedPlace, { readonly kind: "origin" }> = { kind: "origin" }
  return { name: `${owner}/${field}`, place, seal, open }
}

type FixedPlace = Exclude<SealedPlace, { readonly kind: "origin" }>

/** Declares a sealed value that callers cannot direct to another origin. `context` is its record. */
export const defineSealedValue = <Key extends string, R>(
  name: string,
  place: FixedPlace,
  context: (id: Key) => Effect.Effect<string, never, R>
) => {
  const seal = Effect.fnUntraced(function* (id: Key, secret: Redacted.Redacted) {
    return yield* (yield* Vault).seal(yield* context(id), secret)
  })
  const open = Effect.fnUntraced(function* (id: Key, sealed: string) {
    return yield* (yield* Vault).open(yield* context(id), sealed)
  })
  return { name, place, context, seal, open }
}

/** Like `sealedFor`, for a field of a record of the organization. */
export const defineSealedField = (owner: string, field: string, place: FixedPlace) =>
  defineSealedValue(`${owner}/${field}`, place, (id: string) => fieldContext(owner, id, field))
