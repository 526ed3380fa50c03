import { Effect, Metric } from "effect"

const gauge = (state: "waiting" | "running") =>
  Metric.gauge("parley_transactions", {
    description: "Number of transactions that run on a connection or wait for one"
  }).pipe(Metric.withAttributes({ state }))

const waiting = gauge("waiting")
const running = gauge("running")

/** Counts a unit of work as waiting until it has its connection, and then as running. */
export const shown = () => {
  let isRunning = false
  const begun = Effect.suspend(() => {
    isRunning = true
    return Effect.andThen(Metric.modify(waiting, -1), Metric.modify(running, 1))
  })
  const around = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Metric.modify(waiting, 1),
      () => effect,
      () => Metric.modify(isRunning ? running : waiting, -1)
    )
  return { around, begun }
}
