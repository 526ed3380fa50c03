const minute = 60_000

/**
 * How fast one broadcast may send by its own wish, beside the pace of its account: a bucket that holds a hundredth of a minute's
 * messages and fills so slowly that there are never more than those of a minute in any minute. Times are milliseconds of a clock that
 * only goes forward.
 */
export interface ThrottleState {
  readonly perMinute: number
  /** When the bucket is full again. */
  readonly fullAt: number
}

/** How many messages may go out now, and when the next one may. */
export interface ThrottleGrant {
  readonly throttle: ThrottleState
  readonly granted: number
  readonly nextAt: number
}

/** The throttle of a broadcast of which nothing has gone out for a minute. */
export const fullThrottle = (perMinute: number, now: number): ThrottleState => ({ perMinute, fullAt: now })

/** The throttle of a broadcast that somebody else may have sent for a moment ago: its bucket is empty. */
export const emptyThrottle = (perMinute: number, now: number): ThrottleState => ({
  perMinute,
  fullAt: now + capacityOf(perMinute) * gapOf(perMinute)
})

const capacityOf = (perMinute: number) => 1 + Math.floor(perMinute / 100)

/** How far apart the messages are that go out of an empty bucket. */
const gapOf = (perMinute: number) => minute / (perMinute + 1 - capacityOf(perMinute))

/** Takes as many of the wanted messages as may go out now. */
export const takeFromThrottle = (throttle: ThrottleState, now: number, wanted: number): ThrottleGrant => {
  const { perMinute } = throttle
  const gap = gapOf(perMinute)
  const capacity = capacityOf(perMinute)
  const ahead = Math.max(throttle.fullAt, now) - now
  const granted = Math.max(0, Math.min(wanted, Math.floor(capacity - ahead / gap)))
  const fullAt = now + ahead + granted * gap
  const nextAt = Math.max(now, Math.ceil(fullAt - (capacity - 1) * gap))
  // What is rounded must not let anybody ask again and again at one time.
  return { throttle: { perMinute, fullAt }, granted, nextAt: granted < wanted ? Math.max(nextAt, now + 1) : nextAt }
}

/**
 * Whose turn it is among those who share the pace of an account. Whoever has had least of it comes next, so that all who can be sent get
 * equal parts of it, whatever their size; what somebody could not use meanwhile is not made up for.
 */
export const makeWeightedRoundRobin = <Id extends string>() => {
  const had = new Map<Id, number>()
  let present: ReadonlySet<Id> = new Set()
  let least = 0

  const hadOf = (id: Id) => had.get(id) ?? 0

  return {
    /** The next one of these. */
    next: (ready: ReadonlyArray<Id>): Id | undefined => {
      for (const id of ready) if (!present.has(id)) had.set(id, Math.max(hadOf(id), least))
      present = new Set(ready)
      const [id] = ready.toSorted((one, other) => hadOf(one) - hadOf(other) || (one < other ? -1 : 1))
      if (id !== undefined) least = hadOf(id)
      return id
    },
    /** It has had so much. */
    charge: (id: Id, amount: number) => void had.set(id, hadOf(id) + amount)
  }
}

/** Whose turn it is. */
export type WeightedRoundRobin<Id extends string> = ReturnType<typeof makeWeightedRoundRobin<Id>>
