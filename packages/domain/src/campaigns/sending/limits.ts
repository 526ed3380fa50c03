import { Duration } from "effect"

/** Maximum recipients per window, and maximum duration of a window at the account's pace, in seconds. */
const maxWindowSize = 64
const windowSeconds = 0.25

/** Recipients in flight per account, in seconds of its pace. This many can be in doubt when the owner dies. */
const inFlightSeconds = 0.6
const minInFlight = 4
const maxInFlightPerAccount = 640

/** Maximum time between the read of consent and values and the call. */
export const maxClaimAge = Duration.toMillis("1 second")

/** On a slow account, the next recipient is claimed this long before its call can start. */
export const claimLeadTime = maxClaimAge / 2

/** Maximum number of recipients that wait for their calls, which limits the wait of each one. */
export const maxPendingCalls = (perSecond: number): number => (perSecond * 0.8 * maxClaimAge) / 1_000

/** Batch size for the review of delayed recipients. */
export const recallBatchSize = 5_000

/** Results are collected for this time and stored together. */
export const resultFlushDelay = Duration.millis(100)

/** Interval of checks for changes by other processes, without a notification. */
export const reconcileInterval = Duration.toMillis("250 millis")

/** A sender waits this long for due work, because it holds the failures and the throttle of its broadcasts in memory. */
export const idleGrace = Duration.seconds(61)

/** Retry interval of broadcasts that wait for the daily limit, without a notification. Other numbers of the business can free capacity. */
export const dailyLimitRetryInterval = Duration.minutes(10)

/** Minimum time between `broadcast.progressed` events. */
export const progressInterval = Duration.seconds(10)

/** A broadcast completes when its last recipient has been in doubt for this time. */
export const inDoubtTimeout = Duration.minutes(15)

/** Maximum duration of a pause, and retention of recipients after the end. */
export const maxPause = Duration.days(30)
export const recipientRetention = Duration.days(180)

/** Maximum wait of a pause or an end for the sender. A sender that does not answer has lost its lease by then. */
export const stopTimeout = Duration.seconds(10)

/** After this many failed calls in a row, the sender tries one recipient at a time. */
export const probeAfterFailures = 6

/** Returns the maximum recipients in flight of an account at this rate. */
export const maxInFlight = (perSecond: number): number =>
  Math.min(maxInFlightPerAccount, Math.max(minInFlight, Math.ceil(perSecond * inFlightSeconds)))

/** Returns the recipients per window of an account at this rate. */
export const windowSize = (perSecond: number): number =>
  Math.min(maxWindowSize, Math.max(1, Math.ceil(perSecond * windowSeconds)))

const outcomeWindow = 200
const maxFailures = 100

/** Failures among the latest sent or rejected recipients of a broadcast, oldest first. */
export type RecentOutcomes = ReadonlyArray<boolean>

/** State of a broadcast after a start or a resume. */
export const emptyOutcomes: RecentOutcomes = []

/** Appends an outcome and retains the last 200. */
export const addOutcome = (outcomes: RecentOutcomes, failed: boolean): RecentOutcomes => [
  ...outcomes.slice(1 - outcomeWindow),
  failed
]

/** Whether the failure rate requires a check by a member: 100 of the last 200 recipients. */
export const exceedsFailureRate = (outcomes: RecentOutcomes): boolean =>
  outcomes.filter((failed) => failed).length >= maxFailures

const minute = 60_000

/**
 * Own rate limit of a broadcast, in addition to the pace of its account. The bucket holds a hundredth of a minute's messages. Its fill rate keeps
 * every minute within the limit. Times are milliseconds of a monotonic clock.
 */
export interface ThrottleState {
  readonly perMinute: number
  /** Time when the bucket is full again. */
  readonly fullAt: number
}

/** Messages granted now, and the time of the next one. */
export interface ThrottleGrant {
  readonly throttle: ThrottleState
  readonly granted: number
  readonly nextAt: number
}

/** Returns the throttle of a broadcast that has sent nothing for a minute. */
export const fullThrottle = (perMinute: number, now: number): ThrottleState => ({ perMinute, fullAt: now })

/** Returns the throttle with an empty bucket, because another process can have sent a moment ago. */
export const emptyThrottle = (perMinute: number, now: number): ThrottleState => ({
  perMinute,
  fullAt: now + capacityOf(perMinute) * gapOf(perMinute)
})

const capacityOf = (perMinute: number) => 1 + Math.floor(perMinute / 100)

/** Returns the time between messages from an empty bucket. */
const gapOf = (perMinute: number) => minute / (perMinute + 1 - capacityOf(perMinute))

/** Takes as many of the wanted messages as the bucket allows. */
export const takeFromThrottle = (throttle: ThrottleState, now: number, wanted: number): ThrottleGrant => {
  const { perMinute } = throttle
  const gap = gapOf(perMinute)
  const capacity = capacityOf(perMinute)
  const ahead = Math.max(throttle.fullAt, now) - now
  const granted = Math.max(0, Math.min(wanted, Math.floor(capacity - ahead / gap)))
  const fullAt = now + ahead + granted * gap
  const nextAt = Math.max(now, Math.ceil(fullAt - (capacity - 1) * gap))
  // A rounded time must not cause repeated requests at the same time.
  return { throttle: { perMinute, fullAt }, granted, nextAt: granted < wanted ? Math.max(nextAt, now + 1) : nextAt }
}

/** Returns unused messages to the bucket. */
export const refundThrottle = ({ fullAt, perMinute }: ThrottleState, unused: number): ThrottleState => ({
  perMinute,
  fullAt: fullAt - gapOf(perMinute) * unused
})

/**
 * Shares of the account's pace. The broadcast with the smallest used share is next, so all sendable ones get equal parts at any size. Unused turns
 * are not compensated.
 */
export interface Turns<Id extends string> {
  readonly used: ReadonlyMap<Id, number>
  /** Broadcasts of the latest turn, and the share of the chosen one. */
  readonly present: ReadonlyArray<Id>
  readonly least: number
}

export const noTurns = <Id extends string>(): Turns<Id> => ({ used: new Map(), present: [], least: 0 })

/** Returns the next of these broadcasts. A new one starts with the share of the latest turn. */
export const nextTurn = <Id extends string>({ least, present, used }: Turns<Id>, ready: ReadonlyArray<Id>) => {
  const shares = new Map(used)
  for (const id of ready) if (!present.includes(id)) shares.set(id, Math.max(shares.get(id) ?? 0, least))
  const usedBy = (id: Id) => shares.get(id) ?? 0
  const [id] = ready.toSorted((one, other) => usedBy(one) - usedBy(other) || (one < other ? -1 : 1))
  const turns: Turns<Id> = { used: shares, present: ready, least: id === undefined ? least : usedBy(id) }
  return { id, turns }
}

/** Records used messages. */
export const chargeTurn = <Id extends string>(turns: Turns<Id>, id: Id, amount: number): Turns<Id> => ({
  ...turns,
  used: new Map(turns.used).set(id, (turns.used.get(id) ?? 0) + amount)
})
