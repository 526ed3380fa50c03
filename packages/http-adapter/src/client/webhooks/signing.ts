import { Predicate, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { Secret } from "../ParleyClient.ts"

/** The bytes of a request as they came, or its text. */
export type WebhookBody = string | Uint8Array

/** What is signed. */
export interface Signed {
  /** `webhook-id`. */
  readonly id: string
  /** `webhook-timestamp`: when this attempt was made, in seconds since 1970. */
  readonly timestamp: number | string
  readonly body: WebhookBody
}

const prefix = "whsec_"

const algorithm = { name: "HMAC", hash: "SHA-256" }

const encoder = new TextEncoder()

/** What a secret stands for: the bytes that are written in it, or those of it as it is. */
const bytesOf = (secret: Secret): Uint8Array<ArrayBuffer> => {
  const text = Predicate.isString(secret) ? secret : Redacted.value(secret)
  if (!text.startsWith(prefix)) return encoder.encode(text)
  return new Uint8Array(Result.getOrThrow(Base64.decode(text.slice(prefix.length))))
}

/** The key of a secret. */
export const keyOf = (secret: Secret, use: "sign" | "verify"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, [use])

/** The bytes that are signed. */
export const signedBytes = ({ body, id, timestamp }: Signed): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const rest = Predicate.isString(body) ? encoder.encode(body) : body
  const whole = new Uint8Array(head.length + rest.length)
  whole.set(head)
  whole.set(rest, head.length)
  return whole
}

/** Signs as deliveries are signed; with several secrets, by each: the value of `webhook-signature`. */
export const sign = async (secrets: Secret | ReadonlyArray<Secret>, signed: Signed): Promise<string> => {
  const bytes = signedBytes(signed)
  const signatures = await Promise.all(
    [secrets].flat().map(async (secret) => {
      const signature = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), bytes)
      return `v1,${Base64.encode(new Uint8Array(signature))}`
    })
  )
  return signatures.join(" ")
}
