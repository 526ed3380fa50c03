import { DateTime, Duration, Effect } from "effect"
import type { WorkflowId } from "../../../automations/index.ts"
import { Workflows } from "../../Workflows.ts"
import { workflowsHeldBecause } from "../held.ts"

/** For so long nobody looks again whether anything holds runs: a pause takes hold within a second. */
const openFor = Duration.millis(500)

const isPaused = Effect.fnUntraced(function* (id: WorkflowId) {
  const found = yield* Effect.option((yield* Workflows).get(id))
  return found._tag === "None" || found.value.status === "paused"
})

/** Looks whether anything keeps runs from going on, once in a while. */
export const makeGate = () => {
  const openAt = new Map<WorkflowId | "all", DateTime.Utc>()

  const isOpen = Effect.fnUntraced(function* <E, R>(what: WorkflowId | "all", isHeld: Effect.Effect<boolean, E, R>) {
    const now = yield* DateTime.now
    const seen = openAt.get(what)
    if (seen !== undefined && DateTime.isLessThan(now, DateTime.addDuration(seen, openFor))) return true
    if (yield* isHeld) return false
    openAt.set(what, now)
    return true
  })

  /** Whether runs go on in the organization at all. */
  const isOpenToAny = isOpen(
    "all",
    Effect.map(workflowsHeldBecause, (reason) => reason !== null)
  )

  return {
    isOpenToAny,
    /** Whether runs of this workflow go on. */
    isOpenTo: (id: WorkflowId) =>
      Effect.flatMap(isOpenToAny, (open) => (open ? isOpen(id, isPaused(id)) : Effect.succeed(false))),
    /** Those of these workflows went on at that time. */
    wasOpenTo: (ids: Iterable<WorkflowId>, at: DateTime.Utc) => {
      for (const id of ids) openAt.set(id, at)
    }
  }
}

/** What keeps runs from going on, as it was seen last. */
export type Gate = ReturnType<typeof makeGate>
