import { DateTime, Effect, type Schema } from "effect"
import type { WorkflowId } from "../../../automations/index.ts"
import { type ContactId, Contacts } from "../../../../crm/index.ts"
import { EventLog } from "../../../../platform/events/index.ts"
import { ContactUnreachable } from "../../../../messaging/inbox/index.ts"
import { CurrentCausation, NotFound } from "../../../../kernel/index.ts"
import type { PublishedWorkflow } from "../../Workflow.ts"
import { Workflows } from "../../Workflows.ts"
import { ContactInWorkflow, WorkflowNotActive } from "./Refusals.ts"
import { WorkflowRuns } from "../WorkflowRuns.ts"
import { runIdOf, startRun } from "./startRun.ts"

/** What a workflow is called with. */
export interface WorkflowCall {
  readonly contactId: ContactId
  readonly input: Readonly<Record<string, Schema.Json>>
  /** Names the call: the same one begins the same run. */
  readonly name: string
}

/** Version of a workflow for new contacts. Fails unless the workflow is active. */
export const enterable = Effect.fnUntraced(function* (id: WorkflowId) {
  const workflows = yield* Workflows
  const { publishedVersion, status } = yield* workflows.get(id)
  if (status !== "active" || publishedVersion === null) return yield* new WorkflowNotActive({ workflowStatus: status })
  const { graph, number } = yield* Effect.orDie(workflows.version(id, publishedVersion))
  return { id, number, graph }
})

const requireReachable = Effect.fnUntraced(function* (contactId: ContactId) {
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
  if (contact.blockedAt !== null) return yield* new ContactUnreachable({ reason: "blocked" })
})

/** Starts a run of a version for a contact without an event, in the unit of work of the caller. Returns its id. */
export const callWorkflow = Effect.fnUntraced(function* (
  workflow: PublishedWorkflow,
  { contactId, input, name }: WorkflowCall
) {
  yield* requireReachable(contactId)
  const before = yield* (yield* WorkflowRuns).find(yield* runIdOf(workflow, name))
  if (before !== null) return before.run.id
  const started = yield* startRun(workflow, {
    name,
    contactId,
    key: contactId,
    event: null,
    causation: yield* CurrentCausation,
    input,
    from: yield* (yield* EventLog).head(),
    dueAt: yield* DateTime.now
  })
  if ("id" in started) return started.id
  // A concurrent call can archive or pause it after the read.
  yield* enterable(workflow.id)
  return yield* new ContactInWorkflow({ isLive: started.kind === "taken" })
})
