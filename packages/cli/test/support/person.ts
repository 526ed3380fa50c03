import { Effect, Option, Queue, Terminal } from "effect"

/** A terminal user: key presses and screen output. */
export const personAt = (columns: number, rows: number) => {
  const keys = Effect.runSync(Queue.unbounded<Terminal.UserInput>())
  const watchers = new Set<(screen: string) => void>()
  let screen = ""

  const terminal = Terminal.make({
    columns: Effect.succeed(columns),
    rows: Effect.succeed(rows),
    size: Queue.make<Terminal.Size>(),
    readInput: Effect.succeed(keys as Queue.Dequeue<Terminal.UserInput>),
    readLine: Effect.never,
    display: (text) =>
      Effect.sync(() => {
        screen = text
        watchers.forEach((watch) => watch(text))
      })
  })

  const press = (name: string, { ctrl = false, input = "" } = {}) =>
    Queue.offer(keys, {
      input: input === "" ? Option.none() : Option.some(input),
      key: { name, ctrl, meta: false, shift: false }
    })

  return {
    terminal,
    press,
    types: (text: string) => Effect.forEach(Array.from(text), (letter) => press(letter, { input: letter })),
    /** Waits until the screen shows this. */
    sees: (pattern: RegExp) =>
      Effect.callback<string>((resume) => {
        const watch = (text: string) => {
          if (!pattern.test(text)) return
          watchers.delete(watch)
          resume(Effect.succeed(text))
        }
        watchers.add(watch)
        watch(screen)
        return Effect.sync(() => watchers.delete(watch))
      })
  }
}
