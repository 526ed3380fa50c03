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
export const noTimes: CallTimes = { all: [], from: 0, to: 0 }

/** How many there are. */
export const countOf = ({ from, to }: CallTimes): number => to - from

/** Those after a moment. */
export const timesAfter = ({ all, from, to }: CallTimes, moment: number): CallTimes => {
  let first = from
  while (first < to && (all[first] ?? moment) <= moment) first += 1
  // What nobody asks for any more goes when it is the larger part.
  return first > to - first ? { all: all.slice(first, to), from: 0, to: to - first } : { all, from: first, to }
}

/** With so many more that begin now. */
export const withTimes = ({ all, from, to }: CallTimes, count: number, now: number): CallTimes => {
  if (count === 0) return { all, from, to }
  // Somebody else goes on from here, too.
  const own = all.length === to && all !== noTimes.all ? all : all.slice(0, to)
  for (let each = 0; each < count; each += 1) own.push(now)
  return { all: own, from, to: to + count }
}

/** The one that is so many before the end; `undefined` where there are fewer. */
export const timeBefore = ({ all, from, to }: CallTimes, count: number): number | undefined =>
  to - count < from ? undefined : all[to - count]
