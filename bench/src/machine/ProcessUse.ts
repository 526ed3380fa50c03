import { Effect, FileSystem } from "effect"

// The kernel counts in these units, independent of its tick.
const ticksPerSecond = 100
const pageBytes = 4096

/** Seconds of CPU that a process has used, and the memory that it holds. */
export interface ProcessUse {
  readonly cpuSeconds: number
  readonly residentBytes: number
}

const none: ProcessUse = { cpuSeconds: 0, residentBytes: 0 }

// The name of a process is in parentheses and can contain anything, so fields are counted from the end.
const fieldsOf = (stat: string) =>
  stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)

const readStat = Effect.fnUntraced(function* (pid: number) {
  const fs = yield* FileSystem.FileSystem
  return fieldsOf(yield* fs.readFileString(`/proc/${pid}/stat`))
})

/** Use of the process until now; nothing for an ended process. */
export const processUse = (pid: number) =>
  readStat(pid).pipe(
    Effect.map((fields): ProcessUse => ({
      cpuSeconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond,
      residentBytes: (fields[21] ?? 0) * pageBytes
    })),
    Effect.orElseSucceed(() => none)
  )

/** Resources used by these processes so far, separately. */
export const usesOf = (pids: ReadonlyArray<number>) =>
  Effect.map(
    Effect.forEach(pids, (pid) => Effect.map(processUse(pid), (use) => [pid, use] as const)),
    (uses): ReadonlyMap<number, ProcessUse> => new Map(uses)
  )

/** CPU seconds between two samples. A process missing in the first sample has used none. */
export const cpuSecondsBetween = (before: ReadonlyMap<number, ProcessUse>, after: ReadonlyMap<number, ProcessUse>) =>
  Array.from(after, ([pid, { cpuSeconds }]) => Math.max(0, cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0))).reduce(
    (sum, seconds) => sum + seconds,
    0
  )
