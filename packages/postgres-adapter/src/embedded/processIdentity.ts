import { Data, Effect, FileSystem } from "effect"

const startTimeField = 22

/** When a process was started, in ticks since the machine was. */
const startTimeOf = (stat: string) =>
  stat
    // The name of the program comes second, in brackets, and may hold anything.
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .at(startTimeField - 3)

const onLinux = Effect.fnUntraced(function* (pid: number) {
  const files = yield* FileSystem.FileSystem
  const boot = yield* files.readFileString("/proc/sys/kernel/random/boot_id")
  const stat = yield* files.readFileString(`/proc/${pid}/stat`)
  return `${boot.trim()} ${startTimeOf(stat)}`
})

/** A process of another user may not be signalled, but it is there. */
class SignalRefused extends Data.TaggedError("SignalRefused")<{ readonly isRunning: boolean }> {}

const signal = (pid: number) =>
  Effect.try({
    try: () => process.kill(pid, 0),
    catch: (cause) =>
      new SignalRefused({ isRunning: cause instanceof Error && "code" in cause && cause.code === "EPERM" })
  })

const elsewhere = (pid: number) =>
  Effect.match(signal(pid), {
    onSuccess: () => "running",
    onFailure: ({ isRunning }) => (isRunning ? "running" : null)
  })

/**
 * What tells a running process from every other that has, had or will have its number, as far as the system says;
 * `null` when no such process runs.
 */
export const identityOf = (pid: number) =>
  process.platform === "linux" ? Effect.orElseSucceed(onLinux(pid), () => null) : elsewhere(pid)
