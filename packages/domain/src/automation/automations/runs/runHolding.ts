import { DateTime, Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../../../crm/index.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { laneOf } from "./contactLanes.ts"
import { openRunLanes } from "./runLane.ts"
import { shownRuns } from "./shownRun.ts"

/** What automations did for contacts, and are to do. It goes on for whoever a contact becomes a part of, until the merge is undone. */
export const runHolding = {
  permission: "automations.read" as const,
  timeline: () => Effect.succeed([]),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { automationRuns: yield* shownRuns(yield* (yield* AutomationRuns).ofContact(contactId, limit)) }
  }),
  nothing: { automationRuns: [] },
  move: Effect.fnUntraced(function* (move: Move) {
    const lane = laneOf(move.to)
    if (yield* (yield* AutomationRuns).handOver(move, lane)) yield* openRunLanes([lane])
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge) {
    const lane = laneOf(undone.to)
    if (yield* (yield* AutomationRuns).handBack(undone, lane)) yield* openRunLanes([lane])
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* AutomationRuns).forget(contactIds, yield* DateTime.now)
  })
}
