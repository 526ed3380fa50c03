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

/**
 * Shares the pace of an account fairly. The broadcast with the smallest used share is next, so all sendable ones get equal parts at any size. Unused
 * turns are not compensated.
 */
export const makeWeightedRoundRobin = <Id extends string>() => {
  const had = new Map<Id, number>()
  let present: ReadonlySet<Id> = new Set()
  let least = 0

  const hadOf = (id: Id) => had.get(id) ?? 0

  return {
    /** Returns the next of these. */
    next: (ready: ReadonlyArray<Id>): Id | undefined => {
      for (const id of ready) if (!present.has(id)) had.set(id, Math.max(hadOf(id), least))
      present = new Set(ready)
      const [id] = ready.toSorted((one, other) => hadOf(one) - hadOf(other) || (one < other ? -1 : 1))
      if (id !== undefined) least = hadOf(id)
      return id
    },
    /** Records used messages. */
    charge: (id: Id, amount: number) => void had.set(id, hadOf(id) + amount)
  }
}

export type WeightedRoundRobin<Id extends string> = ReturnType<typeof makeWeightedRoundRobin<Id>>
