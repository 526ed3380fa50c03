import { StoreRefused, type StoreRemedy, StoreUnreachable } from "@parley/domain/commerce"
import { Redacted } from "effect"
import { at, listAt, numberAt, storableText, textAt } from "../../json.ts"
import type { BucketStatus } from "./Pace.ts"
import { tokenForm } from "./assumptions.ts"

/** Answer of the provider: its status, and its body if it is JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMillis: number | null
}

const longest = 500

/** A text of the provider without secret parts. */
const withoutSecrets = (text: string, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  storableText(
    secrets
      .map((secret) => Redacted.value(secret))
      .filter((secret) => secret !== "")
      .reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
      .replaceAll(tokenForm, "[secret]"),
    longest
  )

const hour = 3_600_000
const second = 1_000

/** Error for a status that certainly means no effect, with the minimum wait; `null` for other statuses. */
const remedyOf = (status: number): readonly [StoreRemedy, number | null] | null => {
  if (status === 401 || status === 404) return ["reauthorize", null]
  // The shop has not paid, or is locked: its owner must fix that.
  if (status === 402 || status === 423) return ["retry", hour]
  if (status === 403) return ["missing_scope", null]
  if (status === 429 || status === 430) return ["slow_down", 2 * second]
  return status >= 300 && status < 500 && status !== 408 ? ["give_up", null] : null
}

const reasonIn = ({ body, status }: Answer): string =>
  textAt(body, "error_description") ??
  textAt(body, "errors") ??
  textAt(listAt(body, "errors")[0], "message") ??
  textAt(body, "error") ??
  `The store has answered ${status}.`

/** The failure that an answer is, by its status; `null` if it is none. */
export const failureIn = (
  answer: Answer,
  secrets: ReadonlyArray<Redacted.Redacted>
): StoreRefused | StoreUnreachable | null => {
  if (answer.status >= 200 && answer.status < 300) return null
  const [remedy, patience] = remedyOf(answer.status) ?? [null, null]
  if (remedy === null) return new StoreUnreachable()
  return new StoreRefused({
    remedy,
    code: textAt(answer.body, "error") ?? `http_${answer.status}`,
    reason: withoutSecrets(reasonIn(answer), secrets),
    retryAfterMillis: answer.retryAfterMillis ?? patience
  })
}

/** A field that the app may not read, by the path to it. */
export type Denied = ReadonlyArray<string | number>

/** Result of an answer of the query language, by its errors. */
export type Verdict =
  | { readonly kind: "fine"; readonly denied: ReadonlyArray<Denied> }
  | { readonly kind: "throttled"; readonly cost: number | null }
  | { readonly kind: "too_costly" }
  | { readonly kind: "failed"; readonly error: StoreRefused }

const isStep = (step: unknown): step is string | number => typeof step === "string" || typeof step === "number"

/** Failures of the provider's own, which pass. */
const passing: ReadonlySet<string> = new Set(["INTERNAL_SERVER_ERROR", "TIMEOUT"])

/** Parts of an answer in addition to its data. */
export const verdictOn = (body: unknown, secrets: ReadonlyArray<Redacted.Redacted>): Verdict => {
  const errors = listAt(body, "errors")
  const coded = errors.map((error) => ({ error, code: textAt(error, "extensions", "code") ?? "unknown" }))
  if (coded.some(({ code }) => code === "THROTTLED")) {
    return { kind: "throttled", cost: numberAt(body, "extensions", "cost", "requestedQueryCost") }
  }
  if (coded.some(({ code }) => code === "MAX_COST_EXCEEDED")) return { kind: "too_costly" }
  const other = coded.find(({ code }) => code !== "ACCESS_DENIED")
  const paths = coded.map(({ error }) => listAt(error, "path").filter(isStep))
  // A refusal at the root refuses the whole call.
  const root = coded.find((_, index) => (paths[index]?.length ?? 0) < 2)
  const failed = other ?? root
  if (failed === undefined) return { kind: "fine", denied: paths }
  const isPassing = passing.has(failed.code)
  return {
    kind: "failed",
    error: new StoreRefused({
      remedy: failed.code === "ACCESS_DENIED" ? "missing_scope" : isPassing ? "retry" : "give_up",
      code: failed.code,
      reason: withoutSecrets(textAt(failed.error, "message") ?? "The store gave no reason.", secrets),
      retryAfterMillis: null
    })
  }
}

/** State of the bucket in an answer; `null` without it. */
export const bucketIn = (body: unknown): BucketStatus | null => {
  const status = at(body, "extensions", "cost", "throttleStatus")
  const left = numberAt(status, "currentlyAvailable")
  const most = numberAt(status, "maximumAvailable")
  const perSecond = numberAt(status, "restoreRate")
  return left === null || most === null || perSecond === null || perSecond <= 0 || most <= 0
    ? null
    : { left, most, perSecond }
}

/** Estimated cost of a call. */
export const costIn = (body: unknown): number | null => numberAt(body, "extensions", "cost", "requestedQueryCost")
