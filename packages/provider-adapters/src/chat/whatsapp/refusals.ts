import { ChannelRefused } from "@parley/domain/messaging"
import { Redacted } from "effect"
import { at, idAt, listAt, numberAt, parsed, storableText, textAt } from "../../json.ts"
import { errorClassOf } from "./errorTable.ts"

/** Error code for a number that sends too fast. */
const tooFast = 130_429

/** Codes from the frontend of the provider when its backend does not answer. With a 5xx status, the call may have succeeded. */
const faultsInFront: ReadonlySet<number> = new Set([1, 2])

/** Minimum delays that the rules of the provider require and its answers omit. */
const patience: ReadonlyMap<number, number> = new Map([
  [131_057, 30_000],
  [2_494_100, 30_000],
  [tooFast, 1_000]
])

/** Answer of the provider: its status, and its JSON body if any. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMillis: number | null
  /** Header with the use of the call limits per business account, as sent. */
  readonly businessUsage?: string | undefined
  /** Header with the use of the call limit of the app, as sent. */
  readonly appUsage?: string | undefined
}

const longest = 700

// The messages of the provider repeat the request, including tokens.
const withoutSecrets = (text: string, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  storableText(
    secrets
      .map((secret) => Redacted.value(secret))
      .filter((secret) => secret !== "")
      .reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
      .replaceAll(/EAA[A-Za-z0-9]{8,}/gu, "[secret]"),
    longest
  )

/** Text that the provider writes for the users of a business. It is more precise than the code. */
const userMessageIn = (error: unknown): string | null => {
  const title = textAt(error, "error_user_title")
  const message = textAt(error, "error_user_msg")
  return title === null || message === null ? (message ?? title) : `${title}: ${message}`
}

const codePrefix = /^\(#\d+\)\s*/u

/**
 * Reason of a refusal: the provider's text for users or the sentence of the error table, then the details. Titles are a last resort, because the
 * provider retires them.
 */
export const reasonOf = (error: unknown, secrets: ReadonlyArray<Redacted.Redacted>): string => {
  const details = textAt(error, "error_data", "details") ?? textAt(error, "details")
  const title = (textAt(error, "message") ?? textAt(error, "title"))?.replace(codePrefix, "") ?? null
  const known = userMessageIn(error) ?? errorClassOf(Number(idAt(error, "code") ?? Number.NaN))?.advice ?? null
  const given = details ?? (known === null || textAt(error, "error_user_msg") === null ? title : null)
  if (known === null) return withoutSecrets(given ?? "The provider gave no reason.", secrets)
  return withoutSecrets(given === null || given === known ? known : `${known} Meta: ${given}`, secrets)
}

const millisPerMinute = 60_000

/** Longest time in the header until calls are allowed again, in milliseconds. */
const regainMillis = (header: string | undefined): number | null => {
  if (header === undefined) return null
  const usage = parsed(header)
  const minutes = Object.keys(typeof usage === "object" && usage !== null ? usage : {}).flatMap((id) =>
    listAt(usage, id).map((each) => numberAt(each, "estimated_time_to_regain_access") ?? 0)
  )
  const most = Math.max(0, ...minutes)
  return most === 0 ? null : most * millisPerMinute
}

/** The limit of an app covers an hour and has no end time, so a used-up limit is tried again after a minute. */
const appRegainMillis = (header: string | undefined): number | null => {
  const usage = header === undefined ? null : parsed(header)
  const percents = ["call_count", "total_cputime", "total_time"].map((field) => numberAt(usage, field) ?? 0)
  return Math.max(...percents) >= 100 ? millisPerMinute : null
}

const retryAfter = (
  code: number,
  remedy: ChannelRefused["remedy"],
  { appUsage, businessUsage, retryAfterMillis }: Answer
) => {
  if (retryAfterMillis !== null || remedy !== "slow_down") return retryAfterMillis ?? patience.get(code) ?? null
  return regainMillis(businessUsage) ?? appRegainMillis(appUsage) ?? patience.get(code) ?? null
}

/** Refusal without a code: status 429 always means that nothing was accepted. */
const unspoken = (answer: Answer) =>
  new ChannelRefused({
    remedy: "slow_down",
    code: tooFast,
    reason: "The provider has had too many calls.",
    retryAfterMillis: retryAfter(tooFast, "slow_down", answer)
  })

/** Returns the refusal in an answer; `null` unless it is certain that nothing was done. */
export const refusalIn = (answer: Answer, secrets: ReadonlyArray<Redacted.Redacted>): ChannelRefused | null => {
  const error = at(answer.body, "error")
  const code = numberAt(error, "code")
  if (code === null || !Number.isSafeInteger(code)) return answer.status === 429 ? unspoken(answer) : null
  if (answer.status >= 500 && faultsInFront.has(code)) return null
  const unknown = at(error, "is_transient") === true ? "retry" : "give_up"
  // An unknown code with a server error can follow a successful call.
  const remedy = errorClassOf(code)?.remedy ?? (answer.status >= 400 && answer.status < 500 ? unknown : null)
  if (remedy === null) return null
  const subcode = numberAt(error, "error_subcode")
  return new ChannelRefused({
    remedy,
    code,
    reason: reasonOf(error, secrets),
    retryAfterMillis: retryAfter(code, remedy, answer),
    ...(errorClassOf(code)?.scope === "business_account" && { scope: "business_account" as const }),
    ...(subcode !== null && Number.isSafeInteger(subcode) && { subcode })
  })
}
