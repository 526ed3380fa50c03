import { DateTime, Effect, Order, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { CurrentActor, hasPermission, PermissionDenied, type Slice, Timestamp } from "../../../kernel/index.ts"
import { AutomationRun, AutomationRunId, AutomationRuns, toAutomationRunViews } from "../../automations/index.ts"
import { ExplainedWorkflowRun, WorkflowRunId } from "./WorkflowRun.ts"
import { ContactWorkflowRuns } from "./WorkflowRuns.ts"
import { toStepViews, toWorkflowRunView, workflowHoldReason } from "./runHolds.ts"

/** Maximum number of steps of a workflow run in the list of a contact. */
export const maxListedSteps = 20

const name = Schema.NullOr(Schema.String).annotateKey({
  description: "Current name of the automation or workflow; null after its deletion."
})

const at = Timestamp.annotateKey({ description: "Time of the start." })

/** Run of an automation for a contact. */
export class ContactAutomationRun extends Schema.Class<ContactAutomationRun>("ContactAutomationRun")({
  id: AutomationRunId,
  kind: Schema.Literal("automation"),
  at,
  name,
  run: AutomationRun
}) {}

/** Run of a workflow for a contact. */
export class ContactWorkflowRunView extends Schema.Class<ContactWorkflowRunView>("ContactWorkflowRun")({
  id: WorkflowRunId,
  kind: Schema.Literal("workflow"),
  at,
  name,
  run: ExplainedWorkflowRun.annotateKey({ description: "The run with its latest 20 steps." })
}) {}

/** Run of an automation or a workflow for a contact. */
export const ContactRun = Schema.Union([ContactAutomationRun, ContactWorkflowRunView]).annotate({
  identifier: "ContactRun"
})
export type ContactRun = typeof ContactRun.Type

/** Kinds of runs that an actor can read. */
export type RunKinds = ReadonlySet<ContactRun["kind"]>

/** Determines the kinds of runs that the actor can read. Fails without any. */
export const readableRunKinds = Effect.gen(function* () {
  const actor = yield* CurrentActor
  const kinds = new Set<ContactRun["kind"]>()
  if (hasPermission(actor, "automations.read")) kinds.add("automation")
  if (hasPermission(actor, "workflows.read")) kinds.add("workflow")
  if (kinds.size > 0) return kinds
  return yield* new PermissionDenied({ permission: "automations.read", alternative: "workflows.read" })
})

const newestFirst = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, (each: ContactRun) => each.at),
    Order.mapInput(Order.String, ({ id }: ContactRun) => id)
  )
)

const loadAutomationRuns = Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
  const found = yield* (yield* AutomationRuns).performedFor(contactId, slice)
  const runs = yield* toAutomationRunViews(found.map(({ run }) => run))
  return runs.map((run, index) => {
    const name = found[index]?.name ?? null
    return new ContactAutomationRun({ id: run.id, kind: "automation", at: run.createdAt, name, run })
  })
})

const loadWorkflowRuns = Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
  const runs = yield* ContactWorkflowRuns
  const found = yield* runs.list(contactId, slice)
  if (found.length === 0) return []
  const ids = found.map(({ run }) => run.id)
  const [hold, steps] = yield* Effect.all([workflowHoldReason, runs.latestSteps(ids, maxListedSteps)], {
    concurrency: 2
  })
  return found.map(({ name, run, status }) => {
    const shown = toWorkflowRunView(run, hold ?? (status === "paused" ? "paused" : null))
    const explained = new ExplainedWorkflowRun({ ...shown, steps: toStepViews(run, steps.get(run.id) ?? []) })
    return new ContactWorkflowRunView({ id: run.id, kind: "workflow", at: run.startedAt, name, run: explained })
  })
})

/** Loads the runs of a contact, newest first. The row key is the start time and the id. */
export const loadContactRuns = Effect.fnUntraced(function* (contactId: ContactId, kinds: RunKinds, slice: Slice) {
  const [automations, workflows] = yield* Effect.all(
    [
      kinds.has("automation") ? loadAutomationRuns(contactId, slice) : Effect.succeed([]),
      kinds.has("workflow") ? loadWorkflowRuns(contactId, slice) : Effect.succeed([])
    ],
    { concurrency: 2 }
  )
  const runs: ReadonlyArray<ContactRun> = [...automations, ...workflows]
  return runs.toSorted(newestFirst).slice(0, slice.limit)
})
