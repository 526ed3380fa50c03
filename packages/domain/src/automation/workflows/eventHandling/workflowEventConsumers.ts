import { DateTime, Effect, Schema } from "effect"
import { ChatEvent } from "../../../messaging/chat/index.ts"
import { defineEventConsumer } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import {
  AnySourceEvent,
  AutomationEvent,
  QuietHoursEvent,
  quietHoursTypes,
  recallWaiting
} from "../../automations/index.ts"
import { WorkflowEvent } from "../events.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { recordHolds } from "../runs/runHolds.ts"
import { scheduleAllWorkflowLanes, scheduleWorkflowLanes, publishWorkflowRunEnds } from "../runs/savedRuns.ts"
import { handledEventTypes, workflowConsumerName } from "./awaitedEvents.ts"
import { handleContactEvents } from "./contactEvents.ts"
import { recallScheduleWaits } from "./scheduleWaits.ts"

/** Number of runs that exit or continue per unit of work. */
const batchSize = 200

/** Applies events to live runs and starts exactly one run per matching workflow, in the commit that moves the cursor. */
const contactEventConsumer = defineEventConsumer({
  name: workflowConsumerName,
  schema: AnySourceEvent,
  events: handledEventTypes,
  beginsWith: "next_event",
  // One unit of work applies fewer relevant events.
  batch: 100,
  handle: handleContactEvents
})

/** Records the start and end of holds. Continues held runs after an event that can end the hold; archiving can end a pause. */
const resumeHeldRuns = defineEventConsumer({
  name: "workflows.go_on",
  schema: Schema.Union([...AutomationEvent.members, ...IdentityEvent.members, ...WorkflowEvent.members]),
  events: [
    "automations.resumed",
    "organization.plan_changed",
    "organization.status_changed",
    "workflow.archived",
    "workflow.resumed"
  ],
  beginsWith: "next_event",
  batch: 50,
  handle: (events) => Effect.andThen(recordHolds(events), scheduleAllWorkflowLanes)
})

/** Checks held runs again after an event of their account or template. */
const recheckHeldRuns = defineEventConsumer({
  name: "workflows.look_again",
  schema: ChatEvent,
  events: ["chat_account.connected", "chat_account.status_changed", "message_template.status_changed"],
  beginsWith: "next_event",
  batch: 50,
  handle: Effect.fnUntraced(function* (events) {
    const runs = yield* WorkflowRuns
    const now = yield* DateTime.now
    const reasons = new Set(
      events.map(({ event }) => (event.type === "message_template.status_changed" ? "template" : "account"))
    )
    let isMore = false
    for (const reason of reasons) if ((yield* runs.letGoOn(reason, now, batchSize)) === batchSize) isMore = true
    yield* scheduleAllWorkflowLanes
    return isMore ? ("more" as const) : ("done" as const)
  })
})

/** Recalls runs that wait for the end of quiet hours after a change that can affect it. */
const recallQuietHoursRuns = defineEventConsumer({
  name: "workflows.recall_waiting",
  schema: QuietHoursEvent,
  events: quietHoursTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: (events) => Effect.flatMap(WorkflowRuns, (runs) => recallWaiting(events, runs, scheduleWorkflowLanes))
})

/** Exits the live runs of workflows that were archived with `exit`, in batches. */
const exitArchivedRuns = defineEventConsumer({
  name: "workflows.leave_archived",
  schema: WorkflowEvent,
  events: ["workflow.archived"],
  beginsWith: "next_event",
  batch: 1,
  handle: Effect.fnUntraced(function* (events) {
    const runs = yield* WorkflowRuns
    const now = yield* DateTime.now
    for (const { event } of events) {
      if (event.runs !== "exit") continue
      const left = yield* runs.exit(event.workflowId, "archived", now, batchSize)
      yield* publishWorkflowRunEnds(left)
      // Fewer runs than selected can exit, because some have ended concurrently. Only an empty batch is the last one.
      if (left.length > 0) return "more" as const
    }
    return "done" as const
  })
})

export const workflowEventConsumers = [
  contactEventConsumer,
  resumeHeldRuns,
  recheckHeldRuns,
  recallQuietHoursRuns,
  recallScheduleWaits,
  exitArchivedRuns
] as const
