import { DateTime, Effect } from "effect"
import { type Quota, RateLimits, Vault } from "../../kernel/index.ts"
import { accountFingerprint, findKnownSlot } from "./KnownAddresses.ts"
import { LoginOverloaded, LoginThrottled } from "./errors.ts"
import { IsKnownCaller } from "./passwords/PasswordHasher.ts"

const bucketCount = 7

/** Bucket of client addresses, and the end of its window. */
export interface LoginBucket {
  readonly name: string
  readonly drawnAgainAt: DateTime.Utc
}

/**
 * Assigns the addresses to the buckets of an account, with a new assignment in each window. Attempts from a few addresses block only some other
 * addresses for a while, and an attacker cannot choose them.
 */
const assignLoginBucket = Effect.fnUntraced(function* (account: string, address: string, windowMillis: number) {
  const window = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / windowMillis)
  const drawn = yield* (yield* Vault).fingerprint("login-lane", `${account}/${address}/${window}`)
  const number = Array.from(drawn).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
  return { name: `${window}:${number % bucketCount}`, drawnAgainAt: DateTime.makeUnsafe((window + 1) * windowMillis) }
})

const windowMillis = 15 * 60_000

const perWindow = (limit: number): Quota => ({ limit, windowMillis })

/** Several people in an office may share an address, so its limit is higher than the limit of an account. */
const perAddress = perWindow(100)

/**
 * Limits of failures of one account per quarter of an hour. The total is 20: 5, 7 buckets of 1, 3 known addresses of 2, and 2 for known devices. An
 * hour overlaps at most five quarters, so any hour has at most 100 failures.
 */
const perAccount = perWindow(5)
const perStranger = perWindow(4)
const perBucket = perWindow(1)
const perKnownAddress = perWindow(2)
const perKnownDevices = perWindow(2)

/** Counter and window of an attempt. The attempt counts as failed until it succeeds. */
interface CountedAttempt {
  readonly bucket: string
  readonly quota: Quota
  readonly until: DateTime.Utc
}

/** The counters of the attempt, or the time when an attempt is possible again. */
type AttemptResult = { readonly counts: ReadonlyArray<CountedAttempt> } | { readonly closedUntil: DateTime.Utc }

type AttemptLimit = Effect.Effect<AttemptResult, never, RateLimits>

const spendAttempt = (bucket: string, quota: Quota): AttemptLimit =>
  Effect.map(
    Effect.flatMap(RateLimits, (limits) => limits.spend(bucket, quota, 1)),
    ({ granted, resetsAt }) =>
      granted === 0 ? { closedUntil: resetsAt } : { counts: [{ bucket, quota, until: resetsAt }] }
  )

/** A count of an expired window is not refunded to the next window. */
const refundAttempts = Effect.fnUntraced(function* (counts: ReadonlyArray<CountedAttempt>) {
  const limits = yield* RateLimits
  const now = yield* DateTime.now
  const open = counts.filter(({ until }) => DateTime.isLessThan(now, until))
  yield* Effect.forEach(open, ({ bucket, quota }) => limits.refund(bucket, quota, 1), { discard: true })
})

/** Counts in both limits or in neither. */
const requireBoth = Effect.fnUntraced(function* (
  one: AttemptLimit,
  other: AttemptLimit
): Effect.fn.Return<AttemptResult, never, RateLimits> {
  const first = yield* one
  if (!("counts" in first)) return first
  const second = yield* other
  if ("counts" in second) return { counts: [...first.counts, ...second.counts] }
  yield* refundAttempts(first.counts)
  return second
})

const earlierOf = (one: DateTime.Utc, other: DateTime.Utc) => (DateTime.isLessThan(one, other) ? one : other)

/** Uses the first open limit, or returns the earliest time when one opens. */
const requireEither = Effect.fnUntraced(function* (
  one: AttemptLimit,
  other: AttemptLimit
): Effect.fn.Return<AttemptResult, never, RateLimits> {
  const first = yield* one
  if ("counts" in first) return first
  const second = yield* other
  return "counts" in second ? second : { closedUntil: earlierOf(first.closedUntil, second.closedUntil) }
})

const throttleUntil = Effect.fnUntraced(function* (opensAt: DateTime.Utc) {
  const now = yield* DateTime.now
  const millis = DateTime.toEpochMillis(opensAt) - DateTime.toEpochMillis(now)
  return yield* new LoginThrottled({ retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
})

/** Limit of unknown callers. One address cannot use up the attempts of the account. It affects another address only if both share a bucket. */
const strangerLimit = (account: string, address: string, lane: LoginBucket): AttemptLimit => {
  const inLane = Effect.map(spendAttempt(`login:lane:${account}:${lane.name}`, perBucket), (passage) =>
    "counts" in passage ? passage : { closedUntil: lane.drawnAgainAt }
  )
  const common = requireBoth(
    spendAttempt(`login:stranger:${account}:${address}`, perStranger),
    spendAttempt(`login:account:${account}`, perAccount)
  )
  return requireBoth(spendAttempt(`login:address:${address}`, perAddress), requireEither(common, inLane))
}

/** Known callers have a separate limit. Attempts of unknown callers do not use it up. */
const checkLimits = Effect.fnUntraced(function* (account: string, address: string, isKnownDevice: boolean) {
  const stranger = strangerLimit(account, address, yield* assignLoginBucket(account, address, windowMillis))
  const device = requireEither(stranger, spendAttempt(`login:devices:${account}`, perKnownDevices))
  const passage = yield* isKnownDevice ? device : stranger
  const slot = yield* findKnownSlot(account, address)
  const open =
    slot === null
      ? passage
      : yield* requireEither(Effect.succeed(passage), spendAttempt(`login:known:${account}:${slot}`, perKnownAddress))
  return { passage: open, isKnown: isKnownDevice || slot !== null }
})

/**
 * Counts an attempt as failed before it starts, because concurrent attempts must not pass the limit. A success refunds it. A nonexistent account is
 * counted in the same way.
 */
export const startLoginAttempt = Effect.fnUntraced(function* (email: string, address: string, isKnownDevice = false) {
  const account = yield* accountFingerprint(email)
  const { isKnown, passage } = yield* checkLimits(account, address, isKnownDevice)
  if (!("counts" in passage)) return yield* throttleUntil(passage.closedUntil)
  const { counts } = passage
  const forgetAccount = refundAttempts(counts.filter(({ quota }) => quota !== perAddress))
  return {
    succeeded: refundAttempts(counts),
    /** Verifies the password. An attempt that was rejected under load is refunded to the account, because it must not lock the user out. */
    check: <A, E, R>(verify: Effect.Effect<A, E | LoginOverloaded, R>) =>
      verify.pipe(
        Effect.tapError((error) => (error instanceof LoginOverloaded ? forgetAccount : Effect.void)),
        Effect.provideService(IsKnownCaller, isKnown)
      )
  }
})
