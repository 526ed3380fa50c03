import type { DeliveryParser } from "@parley/domain/messaging"
import { DateTime, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const prefix = "whsec_"

/** Decodes a secret: the encoded bytes, or the text unchanged. */
const keyOf = (secret: Redacted.Redacted): Buffer => {
  const text = Redacted.value(secret)
  return text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), "base64") : Buffer.from(text)
}

/** Signed parts: message id, time and body. */
export interface SignedParts {
  readonly id: string
  readonly timestamp: string
  readonly body: Uint8Array
}

/** Creates a Standard Webhooks signature, version 1. */
export const signatureOf = (secret: Redacted.Redacted, { body, id, timestamp }: SignedParts): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`

/** Lifetime of a request, and maximum clock difference. */
const toleranceSeconds = 300

const seconds = /^\d{1,12}$/u

const isFresh = (timestamp: string, now: DateTime.Utc) =>
  seconds.test(timestamp) && Math.abs(DateTime.toEpochMillis(now) / 1_000 - Number(timestamp)) <= toleranceSeconds

const isSame = (one: string, other: string) => {
  const [claimed, expected] = [Buffer.from(one), Buffer.from(other)]
  return claimed.length === expected.length && timingSafeEqual(claimed, expected)
}

/** Maximum number of compared signatures. It exceeds the number during a rotation and bounds the work. */
const mostSignatures = 5

/** Whether one of the secrets signed the request recently. Tries every secret to prevent timing attacks. */
export const isSigned: DeliveryParser["isSigned"] = (secrets, { body, headers }, now) => {
  const { "webhook-id": id, "webhook-signature": input, "webhook-timestamp": timestamp } = headers
  if (id === undefined || input === undefined || timestamp === undefined || !isFresh(timestamp, now)) return false
  const claimed = input.split(" ").slice(0, mostSignatures)
  return secrets
    .flatMap((secret) => {
      const expected = signatureOf(secret, { id, timestamp, body })
      return claimed.map((each) => isSame(each, expected))
    })
    .includes(true)
}
