import { ChannelRefused, type Remedy } from "@parley/domain"
import { Redacted } from "effect"
import { at, numberAt, textAt } from "../../json.ts"
import { undocumentedRefusals } from "./assumptions.ts"

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Error code for a number that sends too fast. */
const tooFast = 130_429

const codes: Readonly<Record<Remedy, ReadonlyArray<number>>> = {
  retry: [1, 2, 131_000, ...undocumentedRefusals.retry],
  slow_down: [4, 80_007, tooFast, ...undocumentedRefusals.slowDown],
  delay_recipient: [131_056],
  skip_recipient: [131_026, 130_472, 131_062],
  skip_for_now: [131_049],
  opt_out: [131_050],
  needs_template: [131_047],
  refresh_template: [132_000, 132_001, ...undocumentedRefusals.refreshTemplate],
  stop_account: [131_048, 131_042, 131_031, 368],
  reauthorize: [0, 10, 190, ...range(200, 299)],
  give_up: [100, 131_008, 131_009, 131_051, 131_052, 131_053]
}

const remedies: ReadonlyMap<number, Remedy> = new Map(
  (Object.keys(codes) as ReadonlyArray<Remedy>).flatMap((remedy) =>
    codes[remedy].map((code): readonly [number, Remedy] => [code, remedy])
  )
)

/** Returns the remedy for an error code of the provider; `null` if unknown. */
export const remedyOf = (code: number): Remedy | null => remedies.get(code) ?? null

/** Codes from the frontend of the provider when its backend does not answer. With a 5xx status, the call may have succeeded. */
const faultsInFront: ReadonlySet<number> = new Set([1, 2])

/** Minimum delays that the rules of the provider require and its answers omit. */
const patience: ReadonlyMap<number, number> = new Map([
  [131_056, 6_000],
  [131_057, 30_000],
  [tooFast, 1_000]
])

/** All classified codes with their remedies. */
export const errorTable: ReadonlyArray<readonly [number, Remedy]> = [...remedies]

/** Answer of the provider: its status, and its JSON body if any. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMillis: number | null
}

const longest = 500

// The messages of the provider repeat the request, including tokens.
const withoutSecrets = (text: string, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  secrets
    .map((secret) => Redacted.value(secret))
    .filter((secret) => secret !== "")
    .reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
    .replaceAll(/EAA[A-Za-z0-9]{8,}/gu, "[secret]")
    .slice(0, longest)

/** Reason in the text of the provider. Uses details, because the provider retires its titles. */
export const reasonOf = (error: unknown, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  withoutSecrets(
    textAt(error, "error_data", "details") ??
      textAt(error, "message") ??
      textAt(error, "title") ??
      "The provider gave no reason.",
    secrets
  )

const retryAfter = (code: number, { retryAfterMillis }: Answer) => retryAfterMillis ?? patience.get(code) ?? null

/** Refusal without a code: status 429 always means that nothing was accepted. */
const unspoken = (answer: Answer) =>
  new ChannelRefused({
    remedy: "slow_down",
    code: tooFast,
    reason: "The provider has had too many calls.",
    retryAfterMillis: retryAfter(tooFast, answer)
  })

/** Returns the refusal in an answer; `null` unless it is certain that nothing was done. */
export const refusalIn = (answer: Answer, secrets: ReadonlyArray<Redacted.Redacted>): ChannelRefused | null => {
  const error = at(answer.body, "error")
  const code = numberAt(error, "code")
  if (code === null || !Number.isSafeInteger(code)) return answer.status === 429 ? unspoken(answer) : null
  if (answer.status >= 500 && faultsInFront.has(code)) return null
  const unknown = at(error, "is_transient") === true ? "retry" : "give_up"
  // An unknown code with a server error can follow a successful call.
  const remedy = remedyOf(code) ?? (answer.status >= 400 && answer.status < 500 ? unknown : null)
  if (remedy === null) return null
  return new ChannelRefused({
    remedy,
    code,
    reason: reasonOf(error, secrets),
    retryAfterMillis: retryAfter(code, answer)
  })
}
