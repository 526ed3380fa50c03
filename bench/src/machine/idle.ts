import { Clock, Effect, FileSystem } from "effect"

interface CpuTimes {
  readonly idle: number
  readonly total: number
}

const readTimes = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const [line = ""] = (yield* fs.readFileString("/proc/stat")).split("\n", 1)
  const [, user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number)
  return { idle: idle + iowait, total: user + nice + system + idle + iowait + irq + softirq + steal } satisfies CpuTimes
})

const shareBetween = (before: CpuTimes, after: CpuTimes) =>
  after.total === before.total ? 1 : (after.idle - before.idle) / (after.total - before.total)

/** Which share of all CPU time was idle while the effect ran. */
export const withIdleShare = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const before = yield* readTimes
  const value = yield* effect
  return { value, idleShare: shareBetween(before, yield* readTimes) }
})

const enough = 0.95

/** Waits up to this time for a second with an almost idle machine. Returns the idle share. */
export const waitUntilIdle = Effect.fnUntraced(function* (longestMillis: number) {
  const start = yield* Clock.currentTimeMillis
  let { idleShare } = yield* withIdleShare(Effect.sleep(Math.max(200, Math.min(longestMillis, 1_000))))
  while (idleShare < enough && (yield* Clock.currentTimeMillis) - start < longestMillis) {
    idleShare = (yield* withIdleShare(Effect.sleep(1_000))).idleShare
  }
  return idleShare
})
