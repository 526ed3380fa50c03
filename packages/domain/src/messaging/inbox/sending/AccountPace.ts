/**
 * When calls began, the oldest first. An account may begin thousands within a second, so nothing is copied for one more: those who come after each other share
 * one array, of which each knows its part.
 */
export interface CallTimes {
  readonly all: Array<number>
  readonly from: number
  readonly to: number
}

/** No calls. */
const noCalls: CallTimes = { all: [], from: 0, to: 0 }

/** How many there are. */
const callCount = ({ from, to }: CallTimes): number => to - from

/** Those after a moment. */
const callsAfter = ({ all, from, to }: CallTimes, moment: number): CallTimes => {
  let first = from
  while (first < to && (all[first] ?? moment) <= moment) first += 1
  // What nobody asks for any more goes when it is the larger part.
  return first > to - first ? { all: all.slice(first, to), from: 0, to: to - first } : { all, from: first, to }
}

/** With so many more that begin now. */
const addCalls = ({ all, from, to }: CallTimes, count: number, now: number): CallTimes => {
  if (count === 0) return { all, from, to }
  // Somebody else goes on from here, too.
  const own = all.length === to && all !== noCalls.all ? all : all.slice(0, to)
  for (let each = 0; each < count; each += 1) own.push(now)
  return { all: own, from, to: to + count }
}

/** The one that is so many before the end; `undefined` where there are fewer. */
const callBeforeLast = ({ all, from, to }: CallTimes, count: number): number | undefined =>
  to - count < from ? undefined : all[to - count]

const second = 1_000

/**
 * Within so many milliseconds, no more calls begin than the rate. They are more than those of a second, because the provider counts when calls
 * arrive, and one may be on its way longer than the next. It costs 1.5% of the rate.
 */
const rateWindow = 1_015

/** After how long a rate is whole again that fell to nothing. */
const recoveryTime = 20 * second

const minRate = 1

/** For how many milliseconds a bucket makes up when whoever takes from it comes late. */
const maxCatchUp = 50

/**
 * How fast an account may send: a bucket of tokens that spreads the calls of a second evenly, and the times of the last calls, so that there
 * are never more in any second than the rate. Times are milliseconds of a clock that only goes forward.
 */
export interface AccountPace {
  /** Messages per second that the account may send at most: a whole number. */
  readonly most: number
  /** What the rate was at `since`. From then on it climbs. */
  readonly rate: number
  readonly since: number
  readonly tokens: number
  readonly filledAt: number
  /** When the calls of the last span began. */
  readonly recent: CallTimes
  /** Until then, calls may have been made in the last span that are not known here: somebody else owned the account. */
  readonly unknownUntil: number
}

/** What may begin now, and when the next one may. */
export interface PaceGrant<Pace> {
  readonly pace: Pace
  readonly granted: number
  readonly nextAt: number
}

/** Who takes: what is much is spread evenly, what a person waits for goes as soon as the second has room for it. */
export type CallPriority = "person" | "bulk"

/** The pace of an account that somebody else may have sent over a moment ago. */
export const newPace = (most: number, now: number): AccountPace => ({
  most,
  rate: most,
  since: now,
  tokens: 1,
  filledAt: now,
  recent: noCalls,
  unknownUntil: now + rateWindow
})

/** The rate there is now: it climbs by the same amount each second until it is whole. */
export const rateAt = ({ most, rate, since }: AccountPace, now: number): number =>
  Math.min(most, rate + (most * (now - since)) / recoveryTime)

/** The provider has said that this is too fast. The calls of one second say so together, so it counts once in that time. */
export const slowDownPace = (pace: AccountPace, now: number): AccountPace =>
  pace.rate < pace.most && now - pace.since < second
    ? pace
    : { ...pace, rate: Math.max(minRate, rateAt(pace, now) / 2), since: now }

/** Somebody else may still begin calls over the account for so long, as fast as it may send. */
export const reserveFor = (pace: AccountPace, millis: number, now: number): AccountPace => ({
  ...pace,
  unknownUntil: Math.max(pace.unknownUntil, now + millis + rateWindow)
})

/** The account may send at another rate from now on. What it has sent still counts. */
export const withRate = (pace: AccountPace, most: number, now: number): AccountPace => {
  if (most === pace.most) return pace
  const share = rateAt(pace, now) / pace.most
  return { ...pace, most, rate: Math.max(minRate, share * most), since: now }
}

/** When the call may begin after which there are no more than `most` in its second. */
const nextSlotAt = (recent: CallTimes, most: number, now: number): number => {
  const oldest = callBeforeLast(recent, most)
  return oldest === undefined ? now : Math.max(now, oldest + rateWindow)
}

/** Takes as many of the wanted calls as may begin now. */
export const takeCalls = (
  pace: AccountPace,
  now: number,
  wanted: number,
  taker: CallPriority = "bulk"
): PaceGrant<AccountPace> => {
  const rate = rateAt(pace, now)
  const inASecond = Math.max(minRate, Math.floor(rate))
  const isPerson = taker === "person"
  // Beside the token that is due: with room for that one only, a slow account would lose a little of its time with every call.
  const room = 1 + (rate * maxCatchUp) / rateWindow
  const tokens = Math.min(room, pace.tokens + ((now - pace.filledAt) * rate) / rateWindow)
  const recent = callsAfter(pace.recent, now - rateWindow)
  // As if the former owner had sent as much as it may: of what is much, no more begins in any second than the rate.
  const unknownFor = pace.unknownUntil - now
  const unknown = isPerson || unknownFor <= 0 ? 0 : Math.ceil(((unknownFor + maxCatchUp) * rate) / rateWindow)
  const free = inASecond - callCount(recent) - unknown
  const granted = Math.max(0, Math.min(wanted, isPerson ? wanted : Math.floor(tokens), free))
  // A person's call takes its token too: what is much makes room for it, and does not make up for it later.
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

/** When a call of what is much may begin. */
export const readyAt = (pace: AccountPace, now: number): number => {
  const { granted, nextAt } = takeCalls(pace, now, 1)
  return granted > 0 ? now : nextAt
}
