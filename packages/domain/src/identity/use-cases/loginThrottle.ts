import { DateTime, Effect } from "effect"
import { type Quota, RateLimits, Vault } from "../../kernel/index.ts"
import { LoginBusy, LoginThrottled } from "../Errors.ts"

const quarterHour = 15 * 60_000

/** 20 failures in a quarter of an hour: at most 80 an hour for one account. */
const perAccount: Quota = { limit: 20, windowMillis: quarterHour }

/** An office may share an address, so it has more room than an account. */
const perAddress: Quota = { limit: 100, windowMillis: quarterHour }

const refuseUntil = Effect.fnUntraced(function* (resetsAt: DateTime.Utc) {
  const now = yield* DateTime.now
  const millis = DateTime.toEpochMillis(resetsAt) - DateTime.toEpochMillis(now)
  return yield* new LoginThrottled({ retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
})

/** Counts a try as failed before it is made, so that many at once do not slip through; the answer takes it back. */
export const beginLoginTry = Effect.fnUntraced(function* (email: string, address: string) {
  const limits = yield* RateLimits
  const account = `login:account:${yield* (yield* Vault).fingerprint("login-throttle", email)}`
  const origin = `login:address:${address}`
  const byAddress = yield* limits.take(origin, perAddress, 1)
  if (byAddress.granted === 0) return yield* refuseUntil(byAddress.resetsAt)
  const byAccount = yield* limits.take(account, perAccount, 1)
  if (byAccount.granted === 0) {
    yield* limits.giveBack(origin, perAddress, 1)
    return yield* refuseUntil(byAccount.resetsAt)
  }
  const forgetAccount = limits.giveBack(account, perAccount, 1)
  return {
    succeeded: Effect.andThen(forgetAccount, limits.giveBack(origin, perAddress, 1)),
    /** Runs the check of the password. One that was never made, in a flood, does not lock its victim out. */
    check: <A, E, R>(verify: Effect.Effect<A, E | LoginBusy, R>) =>
      Effect.tapError(verify, (error) => (error instanceof LoginBusy ? forgetAccount : Effect.void))
  }
})
