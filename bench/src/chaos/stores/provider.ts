import type { DeliveryMisbehaviour, Misbehaviour, RunningStoreSimulator } from "@parley/simulators/store"
import { Effect } from "effect"
import type { Drawing } from "../drawing.ts"

/** How long the service waits for an answer: less than a hanging call takes, so a run has many of them. */
export const timeoutMillis = 2_000

const delivering = (draws: Drawing): DeliveryMisbehaviour =>
  draws.pick<() => DeliveryMisbehaviour>([
    () => ({}),
    () => ({ duplicates: draws.between(1, 3) }),
    () => ({ lateMillis: draws.between(100, 4_000) }),
    () => ({ reverse: draws.between(2, 12) }),
    () => ({ lose: draws.between(3, 40) }),
    () => ({ duplicates: 1, lateMillis: draws.between(50, 500), reverse: draws.between(2, 6) })
  ])()

const answering = (draws: Drawing): Misbehaviour["what"] =>
  draws.pick<() => Misbehaviour["what"]>([
    () => ({ kind: "latency", millis: draws.between(100, 1_500) }),
    () => ({ kind: "status", status: draws.pick([429, 500, 502, 503]) }),
    () => ({ kind: "throttled" }),
    () => ({ kind: "error", code: "INTERNAL_SERVER_ERROR" }),
    () => ({ kind: "bulk_failure", code: draws.pick(["INTERNAL_SERVER_ERROR", "TIMEOUT"] as const) }),
    () => ({ kind: "hang" }),
    () => ({ kind: "reset", done: draws.chance(0.5) }),
    () => ({ kind: "truncate" })
  ])()

/** The provider goes wrong: its deliveries come doubled, late, in the wrong order or never, and some of its answers fail. */
export const goWrong = Effect.fnUntraced(function* (simulator: RunningStoreSimulator, draws: Drawing) {
  while (true) {
    // Failures that no call met in time are dropped. A backlog of failures would only delay everything more and more.
    simulator.behave()
    simulator.misdeliver(delivering(draws))
    const what = answering(draws)
    const on = what.kind === "bulk_failure" ? "graphql" : draws.pick(["graphql", "graphql", "file", "token"] as const)
    simulator.misbehave({ on, what })
    yield* Effect.sleep(draws.between(300, 1_500))
  }
})
