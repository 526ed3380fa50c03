import type { DeliveryParser } from "@parley/domain"
import { DateTime, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const prefix = "whsec_"

/** What a secret stands for: the bytes that are written in it, or it as it is. */
const keyOf = (secret: Redacted.Redacted): Buffer => {
  const text = Redacted.value(secret)
  return text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), "base64") : Buffer.from(text)
}

/** What is signed: which message it is, when it was sent, and what is in it. */
export interface SignedParts {
  readonly id: string
  readonly timestamp: string
  readonly body: Uint8Array
}

/** The signature of Standard Webhooks, in its first version. */
export const signatureOf = (secret: Redacted.Redacted, { body, id, timestamp }: SignedParts): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64")}`

/** For how long a request is good, and by how much clocks may differ. */
const toleranceSeconds = 300

const seconds = /^\d{1,12}$/u

const isFresh = (timestamp: string, now: DateTime.Utc) =>
  seconds.test(timestamp) && Math.abs(DateTime.toEpochMillis(now) / 1_000 - Number(timestamp)) <= toleranceSeconds

const isSame = (one: string, other: string) => {
  const [claimed, expected] = [Buffer.from(one), Buffer.from(other)]
  return claimed.length === expected.length && timingSafeEqual(claimed, expected)
}

/** More than while one secret takes the place of another: nobody makes us compare without an end. */
const mostSignatures = 5

/** Whether one of the secrets has signed the request lately. Every secret is tried, so that the time tells nothing. */
export const isSigned: DeliveryParser["isSigned"] = (secrets, { body, headers }, now) => {
  const { "webhook-id": id, "webhook-signature": said, "webhook-timestamp": timestamp } = headers
  if (id === undefined || said === undefined || timestamp === undefined || !isFresh(timestamp, now)) return false
  const claimed = said.split(" ").slice(0, mostSignatures)
  return secrets
    .flatMap((secret) => {
      const expected = signatureOf(secret, { id, timestamp, body })
      return claimed.map((each) => isSame(each, expected))
    })
    .includes(true)
}
