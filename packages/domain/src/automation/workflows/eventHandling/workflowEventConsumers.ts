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

/** So many runs leave, or go on, in one unit of work. */
const batchSize = 200

/** Begins exactly one run of each workflow that an event is for, and shows it to those under way, in the commit that moves the cursor past it. */
const contactEventConsumer = defineEventConsumer({
  name: workflowConsumerName,
  schema: AnySourceEvent,
  events: handledEventTypes,
  beginsWith: "next_event",
  // Of those that are for somebody it leads fewer at once.
  batch: 100,
  handle: handleContactEvents
})

/** Keeps since when runs are held, and goes on with them once it may be that nothing holds them any more: whoever finishes in an archived workflow may have been paused. */
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

/** Has runs look again whose action waits for an account or a template of which something was told. */
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

/** Has those leave who are on their way through a workflow that was archived so, many at a time. */
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
      // Fewer may have left than there are: some have ended meanwhile.
      if (left.length > 0) return "more" as const
    }
    return "done" as const
  })
})

/** What workflows do about events. */
export const workflowEventConsumers = [
  contactEventConsumer,
  resumeHeldRuns,
  recheckHeldRuns,
  recallQuietHoursRuns,
  exitArchivedRuns
] as const
