import { ChannelRefused, type Remedy } from "@parley/domain"
import { Redacted } from "effect"
import { at, numberAt, textAt } from "../../json.ts"
import { undocumentedRefusals } from "./assumptions.ts"

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The code of a number that sends too fast. */
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

/** What follows from an error code of the provider; `null` if it is not known. */
export const remedyOf = (code: number): Remedy | null => remedies.get(code) ?? null

/** Faults that the provider's front tells when it has not heard from what is behind it: with a 5xx, the deed may be done. */
const faultsInFront: ReadonlySet<number> = new Set([1, 2])

/** How long to wait at least, where the provider's rules say so and its answer does not. */
const patience: ReadonlyMap<number, number> = new Map([
  [131_056, 6_000],
  [131_057, 30_000],
  [tooFast, 1_000]
])

/** Every code that is classed, with what follows from it. */
export const errorTable: ReadonlyArray<readonly [number, Remedy]> = [...remedies]

/** What the provider has answered: its status, and its body if that is JSON. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMillis: number | null
}

const longest = 500

// The provider repeats in its messages what it was sent, tokens among it.
const withoutSecrets = (text: string, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  secrets
    .map((secret) => Redacted.value(secret))
    .filter((secret) => secret !== "")
    .reduce((left, secret) => left.replaceAll(secret, "[secret]"), text)
    .replaceAll(/EAA[A-Za-z0-9]{8,}/gu, "[secret]")
    .slice(0, longest)

/** Why, in the provider's words: its titles are being retired, its details are not. */
export const reasonOf = (error: unknown, secrets: ReadonlyArray<Redacted.Redacted>): string =>
  withoutSecrets(
    textAt(error, "error_data", "details") ??
      textAt(error, "message") ??
      textAt(error, "title") ??
      "The provider gave no reason.",
    secrets
  )

const retryAfter = (code: number, { retryAfterMillis }: Answer) => retryAfterMillis ?? patience.get(code) ?? null

/** Whoever says 429 has let nothing through, also where it says no more. */
const unspoken = (answer: Answer) =>
  new ChannelRefused({
    remedy: "slow_down",
    code: tooFast,
    reason: "The provider has had too many calls.",
    retryAfterMillis: retryAfter(tooFast, answer)
  })

/** The refusal that an answer holds; `null` if it holds none that says for sure that nothing was done. */
export const refusalIn = (answer: Answer, secrets: ReadonlyArray<Redacted.Redacted>): ChannelRefused | null => {
  const error = at(answer.body, "error")
  const code = numberAt(error, "code")
  if (code === null || !Number.isSafeInteger(code)) return answer.status === 429 ? unspoken(answer) : null
  if (answer.status >= 500 && faultsInFront.has(code)) return null
  const unknown = at(error, "is_transient") === true ? "retry" : "give_up"
  // A code that is not known, from a server that has failed, may have come after the deed.
  const remedy = remedyOf(code) ?? (answer.status >= 400 && answer.status < 500 ? unknown : null)
  if (remedy === null) return null
  return new ChannelRefused({
    remedy,
    code,
    reason: reasonOf(error, secrets),
    retryAfterMillis: retryAfter(code, answer)
  })
}
