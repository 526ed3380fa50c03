import { DateTime, Effect, Schema } from "effect"
import { notifyAdmins } from "../../../integrations/webhooks/index.ts"
import { Locks } from "../../../kernel/index.ts"
import { scheduleAssignments } from "../../../messaging/inbox/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { defineEventConsumer, type LoggedEvent } from "../../../platform/events/index.ts"
import { IdentityEvent } from "../../../platform/identity/index.ts"
import { escapeForMail, type EmailTemplate } from "../../../platform/mail/index.ts"
import { Automation } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { appendEvent, AutomationEvent } from "../events.ts"
import { AnySourceEvent } from "../facts/eventFacts.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { scheduleAllRunLanes, scheduleRunLanes } from "./contactLanes.ts"
import { QuietHoursEvent, quietHoursTypes, recallWaiting } from "./quietHours.ts"
import { startFromEvents, startingTypes } from "./startFromEvents.ts"

/** Builds the email about an automation that was disabled after failed runs. */
const buildDisabledEmail = ({ name }: Automation, publicUrl: string): EmailTemplate => ({
  subject: `Your automation ${escapeForMail(name)} is disabled`,
  before: [
    `The last 20 runs of your automation “${escapeForMail(name)}” on Parley failed. The automation is now disabled.`,
    "The runs show the errors. Fix the cause, then enable the automation again:"
  ],
  link: { label: "Read about failures of automations", url: `${publicUrl}/docs/guides/automations` },
  after: ["You get this email because you are an owner or an admin of the organization."]
})

/** Number of consecutive failed runs after which an automation is disabled. */
const maxConsecutiveFailures = 20

const disableForFailures = Effect.fnUntraced(function* (automation: Automation) {
  const { id, version } = automation
  const disabledReason = "failing" as const
  const after = new Automation({ ...automation, enabled: false, disabledReason, updatedAt: yield* DateTime.now })
  yield* Effect.orDie((yield* Automations).save(after, version))
  yield* recordAudit(
    "automation.disabled",
    { kind: "automation", id },
    { before: { enabled: true }, after: { enabled: false, disabledReason } }
  )
  yield* appendEvent({ type: "automation.disabled", automationId: id, disabledReason })
  yield* notifyAdmins((publicUrl) => buildDisabledEmail(after, publicUrl))
})

const disableIfFailing = Effect.fnUntraced(function* (id: AutomationId) {
  const found = yield* Effect.option((yield* Automations).get(id))
  if (found._tag === "None" || !found.value.enabled) return
  const failed = yield* (yield* AutomationRuns).failedInARow(id, found.value.version, maxConsecutiveFailures)
  if (failed >= maxConsecutiveFailures) yield* disableForFailures(found.value)
})

/**
 * Disables automations whose last runs of the current version have all failed, and notifies owners and admins. This
 * shares the commit that moves the cursor, so no failure is lost.
 */
const disableFailing = Effect.fnUntraced(function* (
  failures: ReadonlyArray<LoggedEvent<Extract<AutomationEvent, { readonly type: "automation.run_failed" }>>>
) {
  yield* (yield* Locks).exclusive("automations")
  const ids = new Set(failures.map(({ event }) => event.automationId))
  yield* Effect.forEach([...ids].toSorted(), disableIfFailing, { discard: true })
})

/** Starts exactly one run per matching automation, in the commit that moves the cursor. */
const startAutomations = defineEventConsumer({
  name: "automation.start_runs",
  schema: AnySourceEvent,
  events: startingTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: startFromEvents
})

/** Continues held runs after an event that can end the hold. */
const resumeHeldRuns = defineEventConsumer({
  name: "automation.go_on",
  schema: Schema.Union([...AutomationEvent.members, ...IdentityEvent.members]),
  events: ["automations.resumed", "organization.plan_changed", "organization.status_changed"],
  beginsWith: "next_event",
  batch: 50,
  handle: () => Effect.andThen(scheduleAllRunLanes, scheduleAssignments)
})

/** Recalls runs that wait for the end of quiet hours after a change that can affect it. */
const recallQuietHoursRuns = defineEventConsumer({
  name: "automation.recall_waiting",
  schema: QuietHoursEvent,
  events: quietHoursTypes,
  beginsWith: "next_event",
  batch: 100,
  handle: (events) => Effect.flatMap(AutomationRuns, (runs) => recallWaiting(events, runs, scheduleRunLanes))
})

/** Disables automations after too many failures. */
const disableFailingAutomations = defineEventConsumer({
  name: "automation.disable_failing",
  schema: AutomationEvent,
  events: ["automation.run_failed"],
  beginsWith: "next_event",
  batch: 50,
  handle: disableFailing
})

export const automationEventConsumers = [
  startAutomations,
  resumeHeldRuns,
  recallQuietHoursRuns,
  disableFailingAutomations
] as const
