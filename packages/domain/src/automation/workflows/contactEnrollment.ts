import { DateTime, Effect, Schema } from "effect"
import { type ContactId, Contacts, FilterInput, resolveFilter } from "../../crm/index.ts"
import { requirePermissions, Timestamp } from "../../kernel/index.ts"
import { defineJob, JobFailed, JobId } from "../../platform/jobs/index.ts"
import { WorkflowId } from "../automations/index.ts"
import { type PublishedWorkflow, Workflows } from "./Workflow.ts"
import { callWorkflow, loadActiveVersion } from "./starting/workflowCalls.ts"
import { needsOfGraphs } from "./workflowPermissions.ts"

/** Contacts to enroll in a workflow. */
export const WorkflowEnrollment = Schema.Struct({
  audience: FilterInput.annotateKey({ description: "Filter of contacts; `{}` matches all contacts." })
}).annotate({ identifier: "WorkflowEnrollment" })
export type WorkflowEnrollment = typeof WorkflowEnrollment.Type

/** Number of contacts per step. */
const batchSize = 100

/** Numbers of contacts by result. `inWorkflow`: has a live run. `reentry`: cannot enter again yet. */
const EnrollmentCounts = Schema.Struct({
  enrolled: Schema.Int,
  contactBlocked: Schema.Int,
  contactGone: Schema.Int,
  inWorkflow: Schema.Int,
  reentry: Schema.Int
})
type EnrollmentCounts = typeof EnrollmentCounts.Type

const noCounts: EnrollmentCounts = { enrolled: 0, contactBlocked: 0, contactGone: 0, inWorkflow: 0, reentry: 0 }

/** Enrolls a contact; returns the result. */
const enrollContact = (workflow: PublishedWorkflow, jobId: JobId, contactId: ContactId) =>
  callWorkflow(workflow, { contactId, input: {}, name: `${jobId}:${contactId}` }).pipe(
    Effect.as<keyof EnrollmentCounts>("enrolled"),
    Effect.catchTags({
      ContactInWorkflow: ({ isLive }) => Effect.succeed(isLive ? ("inWorkflow" as const) : ("reentry" as const)),
      ContactUnreachable: () => Effect.succeed("contactBlocked" as const),
      NotFound: () => Effect.succeed("contactGone" as const)
    })
  )

/** Starts runs of the currently published version. The requester must hold all permissions that this version reaches. */
const enrollBatch = Effect.fnUntraced(function* (id: WorkflowId, jobId: JobId, contactIds: ReadonlyArray<ContactId>) {
  const workflow = yield* loadActiveVersion(id)
  yield* requirePermissions(yield* needsOfGraphs([workflow.graph]))
  return yield* Effect.forEach(contactIds, (contactId) => enrollContact(workflow, jobId, contactId))
})

/** Enrolls all contacts of an audience in a workflow. */
export const enrollJob = defineJob({
  name: "workflows.enroll",
  needs: ["workflows.manage"],
  input: Schema.Struct({ jobId: JobId, workflowId: WorkflowId, audience: FilterInput, begunAt: Timestamp }),
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.String),
    matched: Schema.Int,
    ...EnrollmentCounts.fields
  }),
  step: Effect.fnUntraced(
    function* ({ audience, begunAt, jobId, workflowId }, checkpoint) {
      const { after, matched: before, ...counts } = checkpoint ?? { after: null, matched: 0, ...noCounts }
      yield* Effect.mapError(
        (yield* Workflows).get(workflowId),
        () => new JobFailed({ reason: "The workflow was deleted." })
      )
      const filter = yield* resolveFilter(audience, "/audience")
      // Timestamps have milliseconds, so contacts created in the start millisecond are included.
      const there = { kind: "before", field: "createdAt", at: DateTime.add(begunAt, { milliseconds: 1 }) } as const
      const { resume, rows } = yield* (yield* Contacts).list(
        { filter: { kind: "all", of: [filter, there] }, search: null, sort: "createdAt" },
        { limit: batchSize, after: after === null ? null : [after] }
      )
      const ids = rows.map(({ id }) => id)
      const results = ids.length === 0 ? [] : yield* enrollBatch(workflowId, jobId, ids)
      for (const result of results) counts[result] += 1
      const matched = before + ids.length
      return {
        checkpoint: { after: resume?.[0] ?? ids.at(-1) ?? after, matched, ...counts },
        done: resume === null && ids.length < batchSize,
        progress: { done: matched, total: null },
        counts: { matched, ...counts }
      }
    },
    Effect.catchTags({
      NotFound: () => new JobFailed({ reason: "A tag or segment of the audience was deleted." }),
      ValidationFailed: () => new JobFailed({ reason: "The audience no longer matches the contact fields." }),
      WorkflowNotActive: () => new JobFailed({ reason: "The workflow is no longer active." })
    })
  )
})
