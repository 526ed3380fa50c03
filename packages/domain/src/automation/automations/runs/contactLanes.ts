import { DateTime, Effect } from "effect"
import { ContactHistory, type ContactId, type MergeStep, type UndoneMerge } from "../../../crm/index.ts"
import { type Slice, transact } from "../../../kernel/index.ts"
import { type LaneLease, Lanes, type TaskName } from "../../../platform/background/index.ts"
import { toAutomationRunViews } from "../AutomationSettings.ts"
import { AutomationRunEntry } from "./AutomationRun.ts"
import { AutomationRuns } from "./AutomationRuns.ts"

/** Number of lanes per organization. Each contact belongs to one lane. It must never change. */
const laneCount = 16

/** Lane of a contact. The last digit of an id is random. */
export const laneOf = (contactId: ContactId): number => Number.parseInt(contactId.slice(-1), laneCount)

export const laneNumber = ({ key }: LaneLease): number => Number(key)

/** Lanes of a background task that works per contact. */
export const makeContactLanes = (task: TaskName) => {
  /** Schedules these lanes for a time. */
  const open = Effect.fnUntraced(function* (lanes: Iterable<number>, dueAt: DateTime.Utc | null = null) {
    const at = dueAt ?? (yield* DateTime.now)
    const port = yield* Lanes
    for (const lane of [...new Set(lanes)].toSorted((one, other) => one - other)) {
      yield* port.open({ task, key: String(lane), priority: "person", dueAt: at })
    }
  })
  /** Schedules all lanes, for example after a hold. */
  const openAll = open(Array.from({ length: laneCount }, (_, lane) => lane))
  return { open, openAll }
}

/** Name of the background task. */
export const automationRunTaskName: TaskName = "automation runs"

/** Schedule the lanes of waiting runs. */
export const { open: scheduleRunLanes, openAll: scheduleAllRunLanes } = makeContactLanes(automationRunTaskName)

/** Contact data of automation runs. Runs follow a merged contact until the merge is undone. */
export const automationRunData = {
  permission: "automations.read" as const,
  countsAsActivity: false as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    const found = yield* (yield* AutomationRuns).performedFor(contactId, slice)
    return found.map(({ run: { automationId, createdAt: at, id, reason, state } }) => {
      return new AutomationRunEntry({ kind: "automation_run", id, at, automationId, state, reason })
    })
  }),
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
 * Moves the runs of a merged contact to the surviving contact. A run can have started during the merge. Returns
 * whether the contact is merged.
 */
export const followMerge = Effect.fnUntraced(function* (from: ContactId) {
  const survivor = yield* (yield* ContactHistory).survivorOf(from)
  if (survivor === null) return false
  yield* transact(automationRunData.move({ from, to: survivor.id, mergeId: survivor.mergeId }))
  return true
})
