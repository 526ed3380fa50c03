import { DateTime, Effect } from "effect"
import { ContactHistory, type ContactId, type MergeStep, type UndoneMerge } from "../../../crm/index.ts"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, Lanes, type TaskName } from "../../../platform/background/index.ts"
import { toAutomationRunViews } from "../AutomationSettings.ts"
import { AutomationRuns } from "./AutomationRuns.ts"

/** How many lanes an organization has: in each, what is to be done for some contacts is done. It must never change. */
const laneCount = 16

/** The lane of a contact: the last digit of an id is drawn. */
export const laneOf = (contactId: ContactId): number => Number.parseInt(contactId.slice(-1), laneCount)

/** Which lane a lease is of. */
export const laneNumber = ({ key }: LaneLease): number => Number(key)

/** The lanes of a work that is done contact by contact. */
export const makeContactLanes = (work: TaskName) => {
  /** Has somebody go on with what waits in these lanes, now or then. */
  const open = Effect.fnUntraced(function* (lanes: Iterable<number>, dueAt: DateTime.Utc | null = null) {
    const at = dueAt ?? (yield* DateTime.now)
    const port = yield* Lanes
    for (const lane of [...new Set(lanes)].toSorted((one, other) => one - other)) {
      yield* port.open({ work, key: String(lane), priority: "person", dueAt: at })
    }
  })
  /** Has somebody go on with all of it, as after a time in which nothing was done. */
  const openAll = open(Array.from({ length: laneCount }, (_, lane) => lane))
  return { open, openAll }
}

/** What performing runs is called among the works. */
export const automationRunTaskName: TaskName = "automation runs"

/** Has somebody go on with runs that wait. */
export const { open: scheduleRunLanes, openAll: scheduleAllRunLanes } = makeContactLanes(automationRunTaskName)

/** What automations did for contacts, and are to do. It goes on for whoever a contact becomes a part of, until the merge is undone. */
export const automationRunData = {
  permission: "automations.read" as const,
  timeline: () => Effect.succeed([]),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { automationRuns: yield* toAutomationRunViews(yield* (yield* AutomationRuns).ofContact(contactId, limit)) }
  }),
  nothing: { automationRuns: [] },
  move: Effect.fnUntraced(function* (move: MergeStep) {
    const lane = laneOf(move.to)
    if (yield* (yield* AutomationRuns).handOver(move, lane)) yield* scheduleRunLanes([lane])
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge) {
    const lane = laneOf(undone.to)
    if (yield* (yield* AutomationRuns).handBack(undone, lane)) yield* scheduleRunLanes([lane])
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* AutomationRuns).forget(contactIds, yield* DateTime.now)
  })
}

/**
 * Hands what is in line for a contact to whom it has become a part of, where it has: a run may have begun for it while it was merged. Says
 * whether it has.
 */
export const followMerge = Effect.fnUntraced(function* (from: ContactId) {
  const survivor = yield* (yield* ContactHistory).survivorOf(from)
  if (survivor === null) return false
  yield* transact(automationRunData.move({ from, to: survivor.id, mergeId: survivor.mergeId }))
  return true
})
