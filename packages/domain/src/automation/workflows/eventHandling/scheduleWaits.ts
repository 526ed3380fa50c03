import { DateTime, Effect, Schema } from "effect"
import { defineEventConsumer, type LoggedEvent } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import { ScheduleEvent, type ScheduleId } from "../../schedules/index.ts"
import { Workflows } from "../Workflow.ts"
import { type WorkflowNodeRef, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { scheduleWorkflowLanes } from "../runs/savedRuns.ts"

const WaitScheduleEvent = Schema.Union([...ScheduleEvent.members, ...IdentityEvent.members])

/** Schedules without a time zone follow the zone of the organization, so its change affects them. */
const waitScheduleTypes = [
  "organization.updated",
  "schedule.deleted",
  "schedule.updated"
] as const satisfies ReadonlyArray<(typeof WaitScheduleEvent.Type)["type"]>

type WaitScheduleChange = LoggedEvent<
  Extract<typeof WaitScheduleEvent.Type, { readonly type: (typeof waitScheduleTypes)[number] }>
>

/** Changed schedules; `null` if any schedule can be affected. */
const changedSchedules = (events: ReadonlyArray<WaitScheduleChange>): ReadonlySet<ScheduleId> | null => {
  const ids = events.map(({ event }) => (event.type === "organization.updated" ? null : event.scheduleId))
  const known = ids.filter((id) => id !== null)
  return known.length < ids.length ? null : new Set(known)
}

/** Waits for these schedules in the versions with live runs. */
const findWaits = Effect.fnUntraced(function* (schedules: ReadonlySet<ScheduleId> | null) {
  const workflows = yield* Workflows
  const waits: Array<WorkflowNodeRef> = []
  for (const { version, workflowId } of yield* (yield* WorkflowRuns).versionsUnderWay(null)) {
    const found = yield* Effect.option(workflows.version(workflowId, version))
    if (found._tag === "None") continue
    for (const node of found.value.graph.nodes) {
      if (node.kind !== "wait" || node.scheduleId === undefined) continue
      if (schedules === null || schedules.has(node.scheduleId)) waits.push({ workflowId, version, node: node.id })
    }
  }
  return waits
})

/** Maximum number of runs recalled in one unit of work. */
const maxRecalled = 500

/** Recalls runs that wait for a changed schedule. Each run computes its wait again. */
export const recallScheduleWaits = defineEventConsumer({
  name: "workflows.recall_schedule_waits",
  schema: WaitScheduleEvent,
  events: waitScheduleTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const waits = yield* findWaits(changedSchedules(events))
    if (waits.length === 0) return "done" as const
    const lanes = yield* (yield* WorkflowRuns).recallFrom(waits, yield* DateTime.now, maxRecalled)
    yield* scheduleWorkflowLanes(lanes)
    return lanes.length === maxRecalled ? ("more" as const) : ("done" as const)
  })
})
