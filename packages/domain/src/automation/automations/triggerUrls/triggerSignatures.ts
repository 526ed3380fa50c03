import { DateTime, Effect, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { Vault } from "../../../kernel/index.ts"

/** Headers of a signed call, in the form of Standard Webhooks. */
export type SignatureHeaders = Readonly<Record<string, string | undefined>>

const secretPrefix = "whsec_"

/** Maximum age of a call, and maximum clock difference. */
const toleranceSeconds = 300

const seconds = /^\d{1,12}$/u

/** Maximum number of compared signatures. It bounds the work. */
const maxSignatures = 5

const maxIdLength = 200

const isFresh = (timestamp: string, now: DateTime.Utc): boolean =>
  seconds.test(timestamp) && Math.abs(DateTime.toEpochMillis(now) / 1_000 - Number(timestamp)) <= toleranceSeconds

const keyOf = (secret: Redacted.Redacted) =>
  Result.getOrThrow(Base64.decode(Redacted.value(secret).slice(secretPrefix.length)))

const toBase64 = (text: string): string => {
  const base = text.replaceAll("-", "+").replaceAll("_", "/")
  return base.padEnd(Math.ceil(base.length / 4) * 4, "=")
}

/**
 * Returns the message id of a call that the secret signed within the last five minutes; `null` otherwise. Compares digests, because the duration then
 * reveals nothing about the signature.
 */
export const signedCallId = Effect.fnUntraced(function* (
  secret: Redacted.Redacted,
  headers: SignatureHeaders,
  body: string
) {
  const { "webhook-id": id, "webhook-signature": signatures, "webhook-timestamp": timestamp } = headers
  if (id === undefined || signatures === undefined || timestamp === undefined) return null
  // An empty id would make every later call a repetition.
  if (id === "" || id.length > maxIdLength) return null
  if (!isFresh(timestamp, yield* DateTime.now)) return null
  const vault = yield* Vault
  const expected = toBase64(yield* vault.mac(Redacted.make(keyOf(secret)), `${id}.${timestamp}.${body}`))
  const known = yield* vault.digest(Redacted.make(`v1,${expected}`))
  const claimed = yield* Effect.forEach(signatures.split(" ").slice(0, maxSignatures), (signature) =>
    vault.digest(Redacted.make(signature))
  )
  return claimed.includes(known) ? id : null
})
