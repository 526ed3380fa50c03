import { Clock, Effect, Predicate, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { Secret } from "../ParleyClient.ts"
import { keyOf, signedBytes, type WebhookBody } from "./signing.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"
import { WebhookRefused } from "./WebhookRefused.ts"

/** A request that may be a delivery. */
export interface WebhookRequest {
  /** As `fetch` has them, or as Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The raw body: what was parsed and written again has another signature. */
  readonly body: WebhookBody
}

/** How a request is verified. */
export interface VerifyOptions {
  /** The secret of the subscription, or all that are good while one takes the place of another. */
  readonly secrets: Secret | ReadonlyArray<Secret>
  /** By how many seconds the time of a request may differ from now: 300 unless it is said. */
  readonly toleranceSeconds?: number
  /** Now, in milliseconds since 1970: what the clock says unless it is said. */
  readonly now?: number
}

const usualTolerance = 300

/** Nobody has us compare without an end. */
const mostSignatures = 16

const seconds = /^\d{1,12}$/u

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  const text = Predicate.isString(value) ? value : value?.[0]
  if (text !== undefined && text !== "") return text
  throw new WebhookRefused({ fault: "header_missing", message: `The header ${name} is missing.` })
}

/** The signatures of the first version that a header has. */
const signaturesIn = (header: string) =>
  header
    .split(" ")
    .slice(0, mostSignatures)
    .flatMap((each) => {
      const decoded = each.startsWith("v1,") ? Base64.decode(each.slice(3)) : null
      return decoded !== null && Result.isSuccess(decoded) ? [new Uint8Array(decoded.success)] : []
    })

/** Every secret is tried with every signature, each in constant time, so that the time tells nothing. */
const isSigned = async (secrets: ReadonlyArray<Secret>, header: string, bytes: Uint8Array<ArrayBuffer>) => {
  const signatures = signaturesIn(header)
  const found = await Promise.all(
    secrets.map(async (secret) => {
      const key = await keyOf(secret, "verify")
      return Promise.all(signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, bytes)))
    })
  )
  return found.flat().includes(true)
}

const eventIn = (body: WebhookBody): WebhookEvent => {
  const refused = new WebhookRefused({ fault: "body_invalid", message: "What is signed is no event." })
  try {
    const text = Predicate.isString(body) ? body : new TextDecoder("utf-8", { fatal: true }).decode(body)
    const read: unknown = JSON.parse(text)
    if (Predicate.isObject(read) && Predicate.isString(read["type"])) return read as unknown as WebhookEvent
  } catch {
    throw refused
  }
  throw refused
}

/**
 * Verifies that a request is a delivery of now, by one of the secrets, and gives what it says. Rejects with `WebhookRefused`. It
 * does not know what came before: remember the ids of the deliveries that you have handled.
 */
export const verify = async (
  request: WebhookRequest,
  { now, secrets, toleranceSeconds = usualTolerance }: VerifyOptions
): Promise<WebhookEvent> => {
  const id = headerOf(request, "webhook-id")
  const timestamp = headerOf(request, "webhook-timestamp")
  const header = headerOf(request, "webhook-signature")
  const millis = now ?? Effect.runSync(Clock.currentTimeMillis)
  if (!seconds.test(timestamp) || Math.abs(millis / 1_000 - Number(timestamp)) > toleranceSeconds) {
    const message = "The header webhook-timestamp is not of now."
    throw new WebhookRefused({ fault: "timestamp_out_of_tolerance", message })
  }
  const { body } = request
  if (!(await isSigned([secrets].flat(), header, signedBytes({ id, timestamp, body })))) {
    throw new WebhookRefused({ fault: "signature_invalid", message: "No signature is by one of the secrets." })
  }
  return eventIn(body)
}
