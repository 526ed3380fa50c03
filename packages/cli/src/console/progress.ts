import { Console, Duration, Effect, Stdio, Stream } from "effect"
import { TerminalCapabilities } from "effect/cli"

/** Progress of some work. `done` and `total` have the same unit. */
export interface Progress {
  readonly done: number
  readonly total: number
  /** Results so far, as text. */
  readonly counts: string
  readonly millis: number
}

const width = 30

/** Draws a bar that is filled to this share. */
export const barOf = (share: number) => {
  const full = Math.round(share * width)
  return `[${"#".repeat(full)}${".".repeat(width - full)}]`
}

/** Formats minutes and seconds. */
export const clockOf = (millis: number) => {
  const seconds = Math.round(millis / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

/** Returns one line with the progress and the remaining time at this pace. */
export const progressLine = ({ counts, done, millis, total }: Progress): string => {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const left = done === 0 || done >= total ? "" : `, ${clockOf((millis / done) * (total - done))} left`
  return `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${counts}${left}`
}

/** Interval of the progress lines, on a terminal and elsewhere. */
const pace = { watched: Duration.millis(200), written: Duration.seconds(5) }

const write = (text: string) =>
  Effect.flatMap(Stdio.Stdio, (stdio) =>
    Effect.ignore(Stream.run(Stream.make(text), stdio.stderr({ endOnDone: false })))
  )

/** Shows the progress until it is over: on one line of a terminal, or line by line elsewhere. */
export const showing = Effect.fnUntraced(function* <A extends { readonly isOver: boolean }, E, R>(
  read: Effect.Effect<A, E, R>,
  lineOf: (progress: A) => string,
  lookEvery: Duration.Duration = pace.watched
) {
  const { canAnimate } = yield* TerminalCapabilities.TerminalCapabilities
  let last = ""
  while (true) {
    const progress = yield* read
    const line = lineOf(progress)
    if (canAnimate) yield* write(`\r\u001B[2K${line}${progress.isOver ? "\n" : ""}`)
    else if (line !== last) yield* Console.error(line)
    last = line
    if (progress.isOver) return progress
    let waited = Duration.zero
    const until = canAnimate ? lookEvery : pace.written
    // Prints the end immediately, without waiting for the next interval.
    while (Duration.isLessThan(waited, until)) {
      yield* Effect.sleep(lookEvery)
      waited = Duration.sum(waited, lookEvery)
      if ((yield* read).isOver) break
    }
  }
})
