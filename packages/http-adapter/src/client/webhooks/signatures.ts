import type { WebhookCall, WebhookEnvelope } from "@parley/domain/integrations"
import type { DomainEvent } from "@parley/domain/composition"
import { Clock, Data, Effect, Predicate, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { Secret } from "../ParleyClient.ts"
import type { Plain } from "../PromiseClient.ts"

type Body<Type extends string, Data> = Plain<typeof WebhookEnvelope.Type> & { readonly type: Type; readonly data: Data }

type BodyOf<Event extends { readonly type: string }> = Event extends unknown
  ? Body<Event["type"], Plain<Omit<Event, "type">>>
  : never

/** Event type that a subscription can deliver. */
export type WebhookEventType = DomainEvent["type"] | "automation.call" | "webhook.test"

/** Request of an automation or a workflow. The ids are `null` after the contact is erased. */
type Called = Body<"automation.call", Plain<Omit<WebhookCall, "actor" | "causation">>>

/** Body of a delivery. `type` is the event type and determines `data`. Further types and fields can be added. */
export type WebhookEvent = BodyOf<DomainEvent> | Called | Body<"webhook.test", {}>

/** Reason for refusing a request: a missing header, a time outside of the tolerance, no valid signature, or a body without an event. */
export type WebhookFault = "header_missing" | "timestamp_out_of_tolerance" | "signature_invalid" | "body_invalid"

/** The request is not a current delivery. Answer it with 400 or 401. */
export class WebhookRefused extends Data.TaggedError("WebhookRefused")<{
  readonly fault: WebhookFault
  readonly message: string
}> {}

/** The unchanged bytes of a request, or its text. */
export type WebhookBody = string | Uint8Array

/** Signed content. */
export interface Signed {
  /** `webhook-id`. */
  readonly id: string
  /** `webhook-timestamp`: time of this attempt, in seconds since 1970. */
  readonly timestamp: number | string
  readonly body: WebhookBody
}

const prefix = "whsec_"

const algorithm = { name: "HMAC", hash: "SHA-256" }

const encoder = new TextEncoder()

/** Bytes of a secret: the encoded ones, or the text itself. */
const bytesOf = (secret: Secret): Uint8Array<ArrayBuffer> => {
  const text = Predicate.isString(secret) ? secret : Redacted.value(secret)
  if (!text.startsWith(prefix)) return encoder.encode(text)
  return new Uint8Array(Result.getOrThrow(Base64.decode(text.slice(prefix.length))))
}

/** The key of a secret. */
const keyOf = (secret: Secret, use: "sign" | "verify"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, [use])

/** The bytes that are signed. */
const signedBytes = ({ body, id, timestamp }: Signed): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const rest = Predicate.isString(body) ? encoder.encode(body) : body
  const whole = new Uint8Array(head.length + rest.length)
  whole.set(head)
  whole.set(rest, head.length)
  return whole
}

/** Returns the value of `webhook-signature`, with one signature for each secret. */
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

/** A request that may be a delivery. */
export interface WebhookRequest {
  /** Headers of `fetch` or of Node. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The raw body. A body that was parsed and serialized again has another signature. */
  readonly body: WebhookBody
}

/** Options of a verification. */
export interface VerifyOptions {
  /** The secret of the subscription. During a rotation, the old and the new secret. */
  readonly secrets: Secret | ReadonlyArray<Secret>
  /** Maximum difference from the current time in seconds. Default: 300. */
  readonly toleranceSeconds?: number
  /** Current time in milliseconds since 1970. Default: the clock. */
  readonly now?: number
}

const usualTolerance = 300

/** Limits the number of comparisons. */
const mostSignatures = 16

const seconds = /^\d{1,12}$/u

const headerOf = ({ headers }: WebhookRequest, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  const text = Predicate.isString(value) ? value : value?.[0]
  if (text !== undefined && text !== "") return text
  throw new WebhookRefused({ fault: "header_missing", message: `The header ${name} is missing.` })
}

/** The signatures of version 1 in a header. */
const signaturesIn = (header: string) =>
  header
    .split(" ")
    .slice(0, mostSignatures)
    .flatMap((each) => {
      const decoded = each.startsWith("v1,") ? Base64.decode(each.slice(3)) : null
      return decoded !== null && Result.isSuccess(decoded) ? [new Uint8Array(decoded.success)] : []
    })

/** Every secret is tried with every signature in constant time, because the time must reveal nothing. */
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
  const refused = new WebhookRefused({ fault: "body_invalid", message: "The signed content is not an event." })
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
 * Verifies that a request is a current delivery, signed with one of the secrets, and returns its contents. Rejects with `WebhookRefused`. It keeps
 * no state: remember the ids of handled deliveries.
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
    const message = "The header webhook-timestamp is too old or in the future."
    throw new WebhookRefused({ fault: "timestamp_out_of_tolerance", message })
  }
  const { body } = request
  if (!(await isSigned([secrets].flat(), header, signedBytes({ id, timestamp, body })))) {
    throw new WebhookRefused({ fault: "signature_invalid", message: "No signature matches the secrets." })
  }
  return eventIn(body)
}
