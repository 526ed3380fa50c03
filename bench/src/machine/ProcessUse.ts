import { Effect, FileSystem } from "effect"

// The kernel counts in these whatever its own tick is.
const ticksPerSecond = 100
const pageBytes = 4096

/** Seconds of CPU that a process has used, and the memory that it holds. */
export interface ProcessUse {
  readonly cpuSeconds: number
  readonly residentBytes: number
}

const none: ProcessUse = { cpuSeconds: 0, residentBytes: 0 }

// The name of a process stands in brackets and may hold anything; the fields are counted from behind it.
const fieldsOf = (stat: string) =>
  stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)

const readStat = Effect.fnUntraced(function* (pid: number) {
  const fs = yield* FileSystem.FileSystem
  return fieldsOf(yield* fs.readFileString(`/proc/${pid}/stat`))
})

/** What the process has used until now; nothing when it is gone. */
export const processUse = (pid: number) =>
  readStat(pid).pipe(
    Effect.map((fields): ProcessUse => ({
      cpuSeconds: ((fields[11] ?? 0) + (fields[12] ?? 0)) / ticksPerSecond,
      residentBytes: (fields[21] ?? 0) * pageBytes
    })),
    Effect.orElseSucceed(() => none)
  )

/** What these processes have used until now, each by itself. */
export const usesOf = (pids: ReadonlyArray<number>) =>
  Effect.map(
    Effect.forEach(pids, (pid) => Effect.map(processUse(pid), (use) => [pid, use] as const)),
    (uses): ReadonlyMap<number, ProcessUse> => new Map(uses)
  )

/** Seconds of CPU that were used between two looks; who was not there at the first has used none by then. */
export const cpuSecondsBetween = (before: ReadonlyMap<number, ProcessUse>, after: ReadonlyMap<number, ProcessUse>) =>
  Array.from(after, ([pid, { cpuSeconds }]) => Math.max(0, cpuSeconds - (before.get(pid)?.cpuSeconds ?? 0))).reduce(
    (sum, seconds) => sum + seconds,
    0
  )
