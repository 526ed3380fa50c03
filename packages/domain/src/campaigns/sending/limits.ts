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

/** Delayed recipients that are checked again at once. */
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
