import { Duration, type Schema } from "effect"
import type { PluginCaller } from "../../../integrations/plugins/index.ts"
import type { WebhookResponse } from "../../../integrations/webhooks/index.ts"
import { readJson, storableTextIssue } from "../../../kernel/index.ts"
import type { HttpAnswer, HttpCallError } from "./HttpCall.ts"

/** Meaning of an answer. `again`: another attempt follows, or the call fails with this error after the last one. */
export type HttpVerdict =
  | { readonly kind: "done"; readonly output: HttpAnswer }
  | { readonly kind: "failed"; readonly output: HttpAnswer | null; readonly error: HttpCallError }
  | {
      readonly kind: "again"
      readonly output: HttpAnswer | null
      readonly error: HttpCallError
      readonly retryAfterSeconds: number | null
    }

/** Fields of a response that decide. */
export type ReceivedAnswer = Pick<WebhookResponse, "error" | "retryAfterSeconds" | "status" | "text" | "unread">

const retryDelays: Readonly<Record<PluginCaller, ReadonlyArray<Duration.Duration>>> = {
  automation: [Duration.seconds(5), Duration.seconds(30)],
  workflow: [Duration.seconds(5), Duration.seconds(30), Duration.minutes(2), Duration.minutes(10), Duration.hours(1)]
}

/** Maximum delay that a receiver can request. An automation waits less, because later events of the contact wait too. */
const maxRequestedDelays: Readonly<Record<PluginCaller, Duration.Duration>> = {
  automation: Duration.minutes(2),
  workflow: Duration.hours(1)
}

/** Returns the delay after this number of attempts, at least the requested one; `null` if no retry follows. */
export const httpRetryDelay = (
  caller: PluginCaller,
  tries: number,
  retryAfterSeconds: number | null
): Duration.Duration | null => {
  const delay = retryDelays[caller][tries - 1]
  if (delay === undefined) return null
  if (retryAfterSeconds === null) return delay
  return Duration.max(delay, Duration.min(Duration.seconds(retryAfterSeconds), maxRequestedDelays[caller]))
}

const unreachableTexts: Readonly<Record<NonNullable<WebhookResponse["error"]>, string>> = {
  dns: "The name of the host has no address.",
  not_public: "The host has an address outside of the public Internet.",
  redirected: "The server redirected the request.",
  refused: "The server refused or closed the connection.",
  status: "The server answered with an error.",
  timeout: "The server did not answer in time.",
  tls: "The certificate or the encryption of the server is not valid."
}

const statusText = (status: number): string =>
  status >= 300 && status < 400
    ? `The server answered ${status}. Redirects are not followed: use the final URL.`
    : `The server answered ${status}.`

type Body = { readonly json: Schema.Json } | { readonly issue: string }

/** Reads a body as JSON. An empty body counts as null. */
const readBody = (text: string): Body => {
  if (text.trim() === "") return { json: null }
  const reading = readJson(text)
  if (!("value" in reading)) return { issue: "The answer is not valid JSON." }
  const json = reading.value as Schema.Json
  return storableTextIssue(json, "") === null
    ? { json }
    : { issue: "The answer contains a character that cannot be stored." }
}

const invalid = (status: number, code: string, message: string): HttpVerdict => ({
  kind: "failed",
  output: { status, body: null },
  error: { code, message }
})

const interpretSuccess = (status: number, { text, unread }: ReceivedAnswer): HttpVerdict => {
  if (unread === "too_large") return invalid(status, "http_answer_too_large", "The answer is larger than 64 KiB.")
  if (text === null) {
    const error = { code: "http_unreachable", message: "The answer did not arrive completely." }
    return { kind: "again", output: { status, body: null }, error, retryAfterSeconds: null }
  }
  const body = readBody(text)
  return "issue" in body
    ? invalid(status, "http_answer_invalid", body.issue)
    : { kind: "done", output: { status, body: body.json } }
}

/** An error status keeps its JSON, because later actions can read it. Other bodies are dropped. */
const bodyOfError = (text: string | null): Schema.Json => {
  const body = text === null ? null : readBody(text)
  return body !== null && "json" in body ? body.json : null
}

/** Interprets an answer. 2xx is done; 429, 5xx and network errors are tried again; everything else is final. */
export const interpretHttpAnswer = (answer: ReceivedAnswer): HttpVerdict => {
  const { error, retryAfterSeconds, status, text } = answer
  if (status === null) {
    const reason = error ?? "refused"
    const failure = { code: "http_unreachable", message: unreachableTexts[reason] }
    return reason === "not_public"
      ? { kind: "failed", output: null, error: failure }
      : { kind: "again", output: null, error: failure, retryAfterSeconds: null }
  }
  if (status >= 200 && status < 300) return interpretSuccess(status, answer)
  const output = { status, body: bodyOfError(text) }
  const failure = { code: "http_status", message: statusText(status) }
  return status === 429 || status >= 500
    ? { kind: "again", output, error: failure, retryAfterSeconds }
    : { kind: "failed", output, error: failure }
}
