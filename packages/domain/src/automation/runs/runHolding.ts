import { DateTime, Effect } from "effect"
import type { ContactId, Move } from "../../crm/index.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { laneOf } from "./contactLanes.ts"
import { openRunLanes } from "./runLane.ts"
import { shownRuns } from "./shownRun.ts"

/** What automations did for contacts, and are to do. It goes on for whoever a contact becomes a part of. */
export const runHolding = {
  permission: "automations.read" as const,
  timeline: () => Effect.succeed([]),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { automationRuns: yield* shownRuns(yield* (yield* AutomationRuns).ofContact(contactId, limit)) }
  }),
  nothing: { automationRuns: [] },
  move: Effect.fnUntraced(function* ({ from, to }: Move) {
    const goesOn = yield* (yield* AutomationRuns).handOver(from, to, laneOf(to))
    if (goesOn) yield* openRunLanes([laneOf(to)])
  }),
  moveBack: () => Effect.void,
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* AutomationRuns).forget(contactIds, yield* DateTime.now)
  })
}
