/**
 * Start times of calls, oldest first. An account can start thousands of calls per second. Therefore consecutive values share one array without
 * copies, and each value knows its range.
 */
export interface CallTimes {
  readonly all: Array<number>
  readonly from: number
  readonly to: number
}

const noCalls: CallTimes = { all: [], from: 0, to: 0 }

const callCount = ({ from, to }: CallTimes): number => to - from

const callsAfter = ({ all, from, to }: CallTimes, moment: number): CallTimes => {
  let first = from
  while (first < to && (all[first] ?? moment) <= moment) first += 1
  // Drops the outdated calls when they are the larger part.
  return first > to - first ? { all: all.slice(first, to), from: 0, to: to - first } : { all, from: first, to }
}

const addCalls = ({ all, from, to }: CallTimes, count: number, now: number): CallTimes => {
  if (count === 0) return { all, from, to }
  // Copies the array if another value has already appended to it.
  const own = all.length === to && all !== noCalls.all ? all : all.slice(0, to)
  for (let each = 0; each < count; each += 1) own.push(now)
  return { all: own, from, to: to + count }
}

/** Returns the call `count` positions before the end; `undefined` if there are fewer calls. */
const callBeforeLast = ({ all, from, to }: CallTimes, count: number): number | undefined =>
  to - count < from ? undefined : all[to - count]

const second = 1_000

/**
 * No more calls than the rate start within this many milliseconds. The window exceeds one second because the provider counts arrivals, and latencies
 * differ. It costs 1.5% of the rate.
 */
const rateWindow = 1_015

/** Time for a rate to recover from zero. */
const recoveryTime = 20 * second

const minRate = 1

/** Maximum delay in milliseconds that the bucket makes up for when calls are taken late. */
const maxCatchUp = 50

/**
 * Sending rate of an account: a token bucket and the times of the last calls. The bucket spreads the calls of a second evenly. The call times ensure
 * that no second has more calls than the rate. Times are milliseconds of a monotonic clock.
 */
export interface AccountPace {
  /** Maximum rate in messages per second; a whole number. */
  readonly most: number
  /** Rate at `since`; it increases from then on. */
  readonly rate: number
  readonly since: number
  readonly tokens: number
  readonly filledAt: number
  /** Start times of the calls of the last window. */
  readonly recent: CallTimes
  /** Until this time, the last window can include unknown calls of a previous owner. */
  readonly unknownUntil: number
}

/** Calls that can start now, and the time of the next possible call. */
export interface PaceGrant<Pace> {
  readonly pace: Pace
  readonly granted: number
  readonly nextAt: number
}

/** Bulk calls are spread evenly. Calls for a person start when the current second has capacity. */
export type CallPriority = "person" | "bulk"

/** Creates the pace of an account that another process may have used a moment ago. */
export const newPace = (most: number, now: number): AccountPace => ({
  most,
  rate: most,
  since: now,
  tokens: 1,
  filledAt: now,
  recent: noCalls,
  unknownUntil: now + rateWindow
})

/** Returns the current rate, which increases linearly up to the maximum. */
export const rateAt = ({ most, rate, since }: AccountPace, now: number): number =>
  Math.min(most, rate + (most * (now - since)) / recoveryTime)

/** Halves the rate after the provider reported that it is too high. It applies once per second, because all calls of one second report it. */
export const slowDownPace = (pace: AccountPace, now: number): AccountPace =>
  pace.rate < pace.most && now - pace.since < second
    ? pace
    : { ...pace, rate: Math.max(minRate, rateAt(pace, now) / 2), since: now }

/** Reserves the full rate for calls that a previous owner can still start for this many milliseconds. */
export const reserveFor = (pace: AccountPace, millis: number, now: number): AccountPace => ({
  ...pace,
  unknownUntil: Math.max(pace.unknownUntil, now + millis + rateWindow)
})

/** Changes the maximum rate. Earlier calls still count. */
export const withRate = (pace: AccountPace, most: number, now: number): AccountPace => {
  if (most === pace.most) return pace
  const share = rateAt(pace, now) / pace.most
  return { ...pace, most, rate: Math.max(minRate, share * most), since: now }
}

/** Returns the first time at which another call keeps its second within `most` calls. */
const nextSlotAt = (recent: CallTimes, most: number, now: number): number => {
  const oldest = callBeforeLast(recent, most)
  return oldest === undefined ? now : Math.max(now, oldest + rateWindow)
}

/** Takes as many of the wanted calls as can start now. */
export const takeCalls = (
  pace: AccountPace,
  now: number,
  wanted: number,
  taker: CallPriority = "bulk"
): PaceGrant<AccountPace> => {
  const rate = rateAt(pace, now)
  const inASecond = Math.max(minRate, Math.floor(rate))
  const isPerson = taker === "person"
  // Adds capacity to the due token. With capacity for one token only, a slow account would lose a little time with every call.
  const room = 1 + (rate * maxCatchUp) / rateWindow
  const tokens = Math.min(room, pace.tokens + ((now - pace.filledAt) * rate) / rateWindow)
  const recent = callsAfter(pace.recent, now - rateWindow)
  // Assumes that the previous owner used the full rate. The total of bulk calls never exceeds the rate in any second.
  const unknownFor = pace.unknownUntil - now
  const unknown = isPerson || unknownFor <= 0 ? 0 : Math.ceil(((unknownFor + maxCatchUp) * rate) / rateWindow)
  const free = inASecond - callCount(recent) - unknown
  const granted = Math.max(0, Math.min(wanted, isPerson ? wanted : Math.floor(tokens), free))
  // A call for a person also takes a token. Bulk calls give way to it and do not catch up later.
  const left = Math.max(tokens - granted, isPerson ? -inASecond : 0)
  const begun = addCalls(recent, granted, now)
  const tokenAt = isPerson || left >= 1 ? now : now + Math.ceil(((1 - left) * rateWindow) / rate)
  const aloneAt = isPerson ? now : pace.unknownUntil - rateWindow
  const waited = Math.max(tokenAt, aloneAt, nextSlotAt(begun, inASecond, now))
  return {
    pace: { ...pace, tokens: left, filledAt: now, recent: begun },
    granted,
    nextAt: granted === 0 && waited <= now ? now + Math.ceil(rateWindow / rate) : waited
  }
}

/** Returns the time at which a bulk call can start. */
export const readyAt = (pace: AccountPace, now: number): number => {
  const { granted, nextAt } = takeCalls(pace, now, 1)
  return granted > 0 ? now : nextAt
}
