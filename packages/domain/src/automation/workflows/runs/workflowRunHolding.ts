import { DateTime, Effect } from "effect"
import { laneOf } from "../../automations/index.ts"
import type { ContactId, Move, UndoneMerge } from "../../../crm/index.ts"
import { ContactWorkflowRuns } from "./ContactWorkflowRuns.ts"
import { keepRun, tripOf } from "./keepRun.ts"
import { exited } from "./moving/moves.ts"
import { openWorkflowLanes } from "./runLanes.ts"
import { tellEnded } from "./tellRuns.ts"
import { WorkflowRuns } from "./WorkflowRuns.ts"

/** Which workflows contacts are on their way through, and were. Runs follow their contact; whoever is blocked or gone has left. */
export const workflowRunHolding = {
  permission: "workflows.read" as const,
  timeline: () => Effect.succeed([]),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { workflowRuns: yield* (yield* ContactWorkflowRuns).list(contactId, limit) }
  }),
  nothing: { workflowRuns: [] },
  move: Effect.fnUntraced(function* (move: Move, now: DateTime.Utc) {
    const lane = laneOf(move.to)
    yield* tellEnded(yield* (yield* ContactWorkflowRuns).handOver(move, lane, now))
    yield* openWorkflowLanes([lane])
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge) {
    const lane = laneOf(undone.to)
    const back = yield* (yield* ContactWorkflowRuns).handBack(undone, lane)
    if (back > 0) yield* openWorkflowLanes([lane])
  }),
  block: Effect.fnUntraced(function* (contactId: ContactId) {
    const now = yield* DateTime.now
    for (const kept of yield* (yield* WorkflowRuns).lockLive([contactId])) {
      yield* Effect.orDie(keepRun(tripOf(exited(kept, "blocked", now))))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* tellEnded(yield* (yield* ContactWorkflowRuns).forget(contactIds, yield* DateTime.now))
  })
}
