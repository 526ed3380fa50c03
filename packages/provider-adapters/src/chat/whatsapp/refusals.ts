import { ChannelRefused } from "@parley/domain"
import { Redacted } from "effect"
import { faultsInFront, patience, remedyOf, tooFast } from "./errorTable.ts"
import { at, numberAt, textAt } from "../../json.ts"

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
