import { DateTime, Effect } from "effect"
import { type Quota, RateLimits, Vault } from "../../kernel/index.ts"
import { accountFingerprint, findKnownSlot } from "./KnownAddresses.ts"
import { LoginBusy, LoginThrottled } from "./errors.ts"
import { IsKnownCaller } from "./passwords/PasswordHasher.ts"

const bucketCount = 7

/** A share of the addresses, and when they are shared out again. */
export interface LoginBucket {
  readonly name: string
  readonly drawnAgainAt: DateTime.Utc
}

/**
 * Shares the addresses out among the lanes of an account, anew in each window: whoever tries from a few addresses stands in
 * the way of some others for a while, and nobody can choose whose.
 */
const assignLoginBucket = Effect.fnUntraced(function* (account: string, address: string, windowMillis: number) {
  const window = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / windowMillis)
  const drawn = yield* (yield* Vault).fingerprint("login-lane", `${account}/${address}/${window}`)
  const number = Array.from(drawn).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7)
  return { name: `${window}:${number % bucketCount}`, drawnAgainAt: DateTime.makeUnsafe((window + 1) * windowMillis) }
})

const windowMillis = 15 * 60_000

const perWindow = (limit: number): Quota => ({ limit, windowMillis })

/** An office may share an address, so it has more room than an account. */
const perAddress = perWindow(100)

/**
 * How often one account may fail in a quarter of an hour: 20 times in all, that is 5, 7 lanes of 1, 3 known addresses of 2,
 * and 2 for known devices. An hour touches at most five such quarters, so there are never more than 100 failures in any hour.
 */
const perAccount = perWindow(5)
const perStranger = perWindow(4)
const perBucket = perWindow(1)
const perKnownAddress = perWindow(2)
const perKnownDevices = perWindow(2)

/** What a try is counted in until it turns out to be a success, and until when that counts. */
interface CountedAttempt {
  readonly bucket: string
  readonly quota: Quota
  readonly until: DateTime.Utc
}

/** What was counted; or nothing, and from when on something can be. */
type AttemptResult = { readonly counts: ReadonlyArray<CountedAttempt> } | { readonly closedUntil: DateTime.Utc }

type AttemptLimit = Effect.Effect<AttemptResult, never, RateLimits>

const spendAttempt = (bucket: string, quota: Quota): AttemptLimit =>
  Effect.map(
    Effect.flatMap(RateLimits, (limits) => limits.spend(bucket, quota, 1)),
    ({ granted, resetsAt }) =>
      granted === 0 ? { closedUntil: resetsAt } : { counts: [{ bucket, quota, until: resetsAt }] }
  )

/** What was counted in a window that is over is not taken out of the next one. */
const refundAttempts = Effect.fnUntraced(function* (counts: ReadonlyArray<CountedAttempt>) {
  const limits = yield* RateLimits
  const now = yield* DateTime.now
  const open = counts.filter(({ until }) => DateTime.isLessThan(now, until))
  yield* Effect.forEach(open, ({ bucket, quota }) => limits.refund(bucket, quota, 1), { discard: true })
})

/** Counts in both, or in neither. */
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

/** The first way that is open; or when the first of them opens. */
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

/** Anybody: one address uses up neither the tries of the account nor, but by chance, the lane of another address. */
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

/** Who is known from before has tries of their own, which nothing that strangers do uses up. */
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
 * Counts a try as failed before it is made, so that many at once do not slip through; the answer takes it back. An account
 * that does not exist is counted in the same way.
 */
export const startLoginAttempt = Effect.fnUntraced(function* (email: string, address: string, isKnownDevice = false) {
  const account = yield* accountFingerprint(email)
  const { isKnown, passage } = yield* checkLimits(account, address, isKnownDevice)
  if (!("counts" in passage)) return yield* throttleUntil(passage.closedUntil)
  const { counts } = passage
  const forgetAccount = refundAttempts(counts.filter(({ quota }) => quota !== perAddress))
  return {
    succeeded: refundAttempts(counts),
    /** Runs the check of the password. One that was never made, in a flood, does not lock its victim out. */
    check: <A, E, R>(verify: Effect.Effect<A, E | LoginBusy, R>) =>
      verify.pipe(
        Effect.tapError((error) => (error instanceof LoginBusy ? forgetAccount : Effect.void)),
        Effect.provideService(IsKnownCaller, isKnown)
      )
  }
})
