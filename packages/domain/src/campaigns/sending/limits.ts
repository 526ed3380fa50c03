import { Duration } from "effect"

/** How many recipients are taken in hand at once, and for how long of the account's pace that is at most. */
const maxWindowSize = 64
const windowSeconds = 0.25

/** How many recipients of an account are in hand at once, in seconds of its pace: so many may be in doubt when its owner dies. */
const inFlightSeconds = 0.6
const minInFlight = 4
const maxInFlightPerAccount = 640

/** Consent and values are read this long before the call at most. */
export const maxClaimAge = Duration.toMillis("1 second")

/** How long before the next call may begin the next recipient is taken in hand of an account that is slow. */
export const claimLeadTime = maxClaimAge / 2

/** How many recipients may wait for their calls at once, so that none of them waits for too long. */
export const maxPendingCalls = (perSecond: number): number => (perSecond * 0.8 * maxClaimAge) / 1_000

/** How many who were put off are looked at again at once. */
export const recallBatchSize = 5_000

/** How long results are collected, to be stored together. */
export const resultFlushDelay = Duration.millis(100)

/** How often a sender looks for what others have changed, if nobody tells it. */
export const reconcileInterval = Duration.toMillis("250 millis")

/** A sender stays for what is due so soon: it remembers the failures and the throttle of its broadcasts. */
export const idleGrace = Duration.seconds(61)

/** How soon a broadcast that waits for the daily limit tries again, if nobody tells it: other numbers of the business may leave room. */
export const dailyLimitRetryInterval = Duration.minutes(10)

/** `broadcast.progressed` is told this often at most. */
export const progressInterval = Duration.seconds(10)

/** A broadcast is over when the last one has been in doubt for so long. */
export const inDoubtTimeout = Duration.minutes(15)

/** How long a broadcast may be paused, and how long its recipients are kept after its end. */
export const maxPause = Duration.days(30)
export const recipientRetention = Duration.days(180)

/** How long whoever pauses or ends a broadcast waits for its sender. By then a sender that does not answer has lost its lease. */
export const stopTimeout = Duration.seconds(10)

/** After so many calls in a row that came to nothing, one recipient at a time goes ahead. */
export const probeAfterFailures = 6

/** How many recipients of an account are in hand at once that may send so many a second. */
export const maxInFlight = (perSecond: number): number =>
  Math.min(maxInFlightPerAccount, Math.max(minInFlight, Math.ceil(perSecond * inFlightSeconds)))

/** How many recipients are taken in hand at once of an account that may send so many a second. */
export const windowSize = (perSecond: number): number =>
  Math.min(maxWindowSize, Math.max(1, Math.ceil(perSecond * windowSeconds)))

const outcomeWindow = 200
const maxFailures = 100

/** What came of the last recipients of a broadcast that were sent to or refused, the oldest first: whether each of them failed. */
export type RecentOutcomes = ReadonlyArray<boolean>

/** What is known of a broadcast that has just started, or goes on after a pause. */
export const emptyOutcomes: RecentOutcomes = []

/** With one more. Only the last 200 count. */
export const addOutcome = (outcomes: RecentOutcomes, failed: boolean): RecentOutcomes => [
  ...outcomes.slice(1 - outcomeWindow),
  failed
]

/** Whether a broadcast fails so often that somebody has to look at it first: 100 of its last 200 recipients. */
export const exceedsFailureRate = (outcomes: RecentOutcomes): boolean =>
  outcomes.filter((failed) => failed).length >= maxFailures
