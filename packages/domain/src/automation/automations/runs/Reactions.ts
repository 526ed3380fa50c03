import { Effect, Schema } from "effect"
import { defineSubscriber } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import { openAssignments } from "../../../messaging/inbox/index.ts"
import { AutomationEvent } from "../Events.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { disableFailing } from "./disableFailing.ts"
import { QuietHoursEvent, quietHoursTypes, recallWaiting } from "./quietHours.ts"
import { openAllRunLanes, openRunLanes } from "./runLane.ts"
import { AnySourceEvent } from "./situationOf.ts"
import { startingTypes } from "./starting/startingTypes.ts"
import { startFromEvents } from "./starting/startFromEvents.ts"

/** Starts exactly one run of each automation that an event is for, in the commit that moves the cursor past it. */
const startAutomations = defineSubscriber({
  name: "automation.start_runs",
  schema: AnySourceEvent,
  events: startingTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: startFromEvents
})

/** Goes on with what was held once it may be that nothing holds it any more. */
const goOn = defineSubscriber({
  name: "automation.go_on",
  schema: Schema.Union([...AutomationEvent.members, ...IdentityEvent.members]),
  events: ["automations.resumed", "organization.plan_changed", "organization.status_changed"],
  beginsWith: "next_event",
  batch: 50,
  handle: () => Effect.andThen(openAllRunLanes, openAssignments)
})

/** Recalls runs that wait for the end of quiet hours after a change that can affect it. */
const recall = defineSubscriber({
  name: "automation.recall_waiting",
  schema: QuietHoursEvent,
  events: quietHoursTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: (events) => Effect.flatMap(AutomationRuns, (runs) => recallWaiting(events, runs, openRunLanes))
})

/** Disables what has failed too often. */
const disableFailingAutomations = defineSubscriber({
  name: "automation.disable_failing",
  schema: AutomationEvent,
  events: ["automation.run_failed"],
  beginsWith: "next_event",
  batch: 50,
  handle: disableFailing
})

/** What automations do about events. */
export const automationReactions = [startAutomations, goOn, recall, disableFailingAutomations] as const
