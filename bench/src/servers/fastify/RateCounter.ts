const windowMillis = 60_000

/** State of a caller after an accepted request. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  readonly resetsInSeconds: number
}

/** Counts requests per bucket in fixed windows of a minute, in memory. */
export const makeRateCounter = (limit: number) => {
  const windows = new Map<string, { used: number; resetsAt: number }>()
  return (bucket: string, now: number): Standing | null => {
    let window = windows.get(bucket)
    if (window === undefined || now >= window.resetsAt) {
      window = { used: 0, resetsAt: now + windowMillis }
      windows.set(bucket, window)
    }
    if (window.used >= limit) return null
    window.used += 1
    return { limit, remaining: limit - window.used, resetsInSeconds: Math.ceil((window.resetsAt - now) / 1000) }
  }
}
