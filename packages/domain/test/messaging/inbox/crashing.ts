import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

/** Point of a crash: right before or right after the nth external call. */
export interface Crash {
  /** Number of external calls. */
  readonly asked: () => number
  readonly hasCrashed: () => boolean
  /** The service as the process has it: from the crash on it answers nothing any more, and does nothing. */
  readonly through: <Service extends object>(service: Service) => Service
}

/** A process that dies there; it never does if it does not get that far. */
export const crashAt = (point: number): Crash => {
  let asked = 0
  let crashed = false
  const pass = Effect.suspend(() => {
    if (!crashed && asked++ === point) crashed = true
    return crashed ? Effect.die(new Error("The process is dead.")) : Effect.void
  })
  const around = <A>(answer: A): A =>
    Effect.isEffect(answer)
      ? (pass.pipe(Effect.andThen(answer as Effect.Effect<unknown>), Effect.tap(pass)) as A)
      : answer
  const wrapped = (value: unknown): unknown => {
    if (typeof value !== "function") return around(value)
    return (...args: ReadonlyArray<unknown>) => around(value(...args))
  }
  return {
    asked: () => asked,
    hasCrashed: () => crashed,
    through: (service) => new Proxy(service, { get: (target, name) => wrapped(Reflect.get(target, name)) })
  }
}

/** Runs a process until its end or crash, for at least this number of seconds. */
export const runOut = Effect.fnUntraced(function* <A, E, R>(process: Effect.Effect<A, E, R>, seconds: number) {
  const fiber = yield* Effect.forkChild(Effect.exit(process))
  for (let second = 0; second < seconds || fiber.pollUnsafe() === undefined; second += 1) {
    yield* TestClock.adjust("1 second")
  }
  return yield* Fiber.join(fiber)
})

/** Runs a process until a condition holds, a second at a time, and then stops it. */
export const runUntil = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  process: Effect.Effect<A, E, R>,
  isSo: Effect.Effect<boolean, E2, R2>
) {
  const fiber = yield* Effect.forkChild(Effect.exit(process))
  while (!(yield* isSo)) yield* TestClock.adjust("1 second")
  yield* Fiber.interrupt(fiber)
})
