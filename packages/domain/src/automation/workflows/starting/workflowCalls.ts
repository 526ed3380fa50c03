import { DateTime, Effect, Schema } from "effect"
import { ContactId, Contacts } from "../../../crm/index.ts"
import { problemCode, CurrentCausation, layerPort, NotFound, StorableJsonObject } from "../../../kernel/index.ts"
import { ContactUnreachable } from "../../../messaging/inbox/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import {
  causedBy,
  type WorkflowStartRequest,
  type WorkflowId,
  WorkflowRefused,
  WorkflowStarter
} from "../../automations/index.ts"
import { type PublishedWorkflow, Workflows } from "../Workflow.ts"
import { WorkflowRunId } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { needsOfWorkflows } from "../workflowPermissions.ts"
import { ContactInWorkflow, WorkflowNotActive } from "../workflowTransitions.ts"
import { runIdOf, startRun } from "./startRun.ts"

const isWorkflowRunId = Schema.is(WorkflowRunId)

const maxInputBytes = 32 * 1024

const isSmall = Schema.makeFilter(
  (value: Readonly<Record<string, Schema.Json>>) =>
    utf8Bytes(JSON.stringify(value)).length <= maxInputBytes || "Expected at most 32 KiB of JSON"
)

/** Input of a run. */
export const RunInputValues = StorableJsonObject.check(isSmall).annotate({
  description: "Values that texts can use as `input`."
})

/** Contact and input of a new run. */
export const WorkflowRunInput = Schema.Struct({
  contactId: ContactId,
  input: Schema.optionalKey(RunInputValues)
}).annotate({ identifier: "NewWorkflowRun" })
export type WorkflowRunInput = typeof WorkflowRunInput.Type

export interface WorkflowCall {
  readonly contactId: ContactId
  readonly input: Readonly<Record<string, Schema.Json>>
  /** Identifies the call. The same name starts the same run. */
  readonly name: string
}

/** Version of a workflow for new contacts. Fails unless the workflow is active. */
export const loadActiveVersion = Effect.fnUntraced(function* (id: WorkflowId) {
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
  yield* loadActiveVersion(workflow.id)
  return yield* new ContactInWorkflow({ isLive: started.kind === "taken" })
})

const toWorkflowRefused = (error: { readonly _tag: string; readonly message: string }) =>
  new WorkflowRefused({ code: problemCode(error._tag), detail: error.message })

/** Starts workflows for actions of automations and workflows. */
export const layerWorkflowStarter = layerPort(WorkflowStarter, {
  exists: Effect.fnUntraced(function* (id: WorkflowId) {
    const found = yield* Effect.option((yield* Workflows).get(id))
    return found._tag === "Some"
  }),
  needs: needsOfWorkflows,
  causationOf: Effect.fnUntraced(function* (runId: string) {
    const found = isWorkflowRunId(runId) ? yield* (yield* WorkflowRuns).find(runId) : null
    if (found === null) return null
    const { causation, event, workflowId } = found.run
    return causedBy(causation, { kind: "workflow", id: workflowId }, event?.position ?? null)
  }),
  start: ({ contactId, input, key, workflowId }: WorkflowStartRequest) =>
    Effect.flatMap(loadActiveVersion(workflowId), (workflow) =>
      callWorkflow(workflow, { contactId, input, name: key })
    ).pipe(
      Effect.catchTag(["ContactInWorkflow", "ContactUnreachable", "WorkflowNotActive"], (error) =>
        Effect.fail(toWorkflowRefused(error))
      )
    )
})
