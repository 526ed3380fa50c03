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

const readStat = Effect.fnUntraced(function* (pid: number | "self") {
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

/** Seconds of CPU that these processes have used together. */
export const cpuSecondsOf = (pids: ReadonlyArray<number>) =>
  Effect.map(Effect.forEach(pids, processUse), (uses) => uses.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0))
