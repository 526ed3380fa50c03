import { DateTime, Effect } from "effect"
import { Vault } from "../../../kernel/index.ts"

const lanes = 7

/** A share of the addresses, and when they are shared out again. */
export interface Lane {
  readonly name: string
  readonly drawnAgainAt: DateTime.Utc
}

/**
 * Shares the addresses out among the lanes of an account, anew in each window: whoever tries from a few addresses stands in
 * the way of some others for a while, and nobody can choose whose.
 */
export const laneOf = Effect.fnUntraced(function* (account: string, address: string, windowMillis: number) {
  const window = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / windowMillis)
  const drawn = yield* (yield* Vault).fingerprint("login-lane", `${account}/${address}/${window}`)
  const number = Array.from(drawn).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
  return { name: `${window}:${number % lanes}`, drawnAgainAt: DateTime.makeUnsafe((window + 1) * windowMillis) }
})
