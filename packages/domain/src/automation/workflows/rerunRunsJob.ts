import { DateTime, Effect, Schema } from "effect"
import { Contacts } from "../../crm/index.ts"
import { requirePermissions } from "../../kernel/index.ts"
import { EventLog } from "../../platform/events/index.ts"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { runFilterFields, RunPreview, WorkflowId } from "../automations/index.ts"
import type { PublishedWorkflow } from "./Workflow.ts"
import type { WorkflowRun } from "./runs/WorkflowRun.ts"
import { WorkflowRuns, WorkflowRunSelection } from "./runs/WorkflowRuns.ts"
import { runIdOf, startRun } from "./starting/startRun.ts"
import { loadActiveVersion } from "./starting/workflowCalls.ts"
import { needsOfGraphs } from "./workflowPermissions.ts"

/** States of an ended run that has not reached its end. */
export const RerunnableWorkflowRunState = Schema.Literals(["failed", "exited", "cancelled"])

/** Runs to repeat. */
export const WorkflowRunsToRerun = Schema.Struct({
  filter: Schema.Struct({
    state: Schema.optionalKey(RerunnableWorkflowRunState).annotateKey({
      description: "Only runs in this state. Default: `failed`."
    }),
    ...runFilterFields
  }).annotateKey({ description: "Filter of runs; `{}` matches all failed runs." }),
  preview: RunPreview
}).annotate({ identifier: "WorkflowRunsToRerun" })
export type WorkflowRunsToRerun = typeof WorkflowRunsToRerun.Type

/** Number of runs per step. */
const batchSize = 100

/**
 * Result of a run. `inWorkflow`: its key has a live run. `reentry`: its key has entered again, and cannot enter now. `repeated`: another job has
 * repeated it.
 */
const outcomes = ["started", "contactGone", "contactBlocked", "inWorkflow", "reentry", "repeated"] as const

const outcomeOf = { started: "started", aborted: "started", taken: "inWorkflow", reentry: "reentry" } as const

/** Starts a run with the event and the input of an ended run. Repeated calls start at most one run. */
const rerun = Effect.fnUntraced(function* (workflow: PublishedWorkflow, ended: WorkflowRun) {
  const { causation, contactId, input, key, startedBy } = ended
  const [contact] = contactId === null ? [] : yield* (yield* Contacts).find([contactId])
  if (contact === undefined || key === null) return "contactGone"
  if (contact.blockedAt !== null) return "contactBlocked"
  const name = `rerun:${ended.id}`
  // A concurrent job can repeat the run after its selection and before its lock.
  if ((yield* (yield* WorkflowRuns).find(yield* runIdOf(workflow, name))) !== null) return "repeated"
  const { kind } = yield* startRun(workflow, {
    name,
    contactId: contact.id,
    key,
    event: startedBy,
    causation,
    input: input ?? {},
    from: yield* (yield* EventLog).head(),
    dueAt: yield* DateTime.now,
    rerunOf: ended
  })
  return outcomeOf[kind]
})

/** Repeats the selected runs of a workflow. The requester must hold all permissions that the published version reaches. */
export const rerunWorkflowRunsJob = defineJob({
  name: "workflows.rerun_runs",
  needs: ["workflows.manage"],
  input: Schema.Struct({ workflowId: WorkflowId, selection: WorkflowRunSelection, total: Schema.Int }),
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.Array(Schema.String)),
    started: Schema.Int,
    contactGone: Schema.Int,
    contactBlocked: Schema.Int,
    inWorkflow: Schema.Int,
    reentry: Schema.Int,
    repeated: Schema.Int
  }),
  step: Effect.fnUntraced(
    function* ({ selection, total, workflowId }, checkpoint) {
      const none = { started: 0, contactGone: 0, contactBlocked: 0, inWorkflow: 0, reentry: 0, repeated: 0 }
      const { after, ...counts } = checkpoint ?? { after: null, ...none }
      const workflow = yield* loadActiveVersion(workflowId)
      yield* requirePermissions(yield* needsOfGraphs([workflow.graph]))
      const ended = yield* (yield* WorkflowRuns).lockSelected(workflowId, selection, { after, limit: batchSize })
      for (const { run } of ended) counts[yield* rerun(workflow, run)] += 1
      const last = ended.at(-1)?.run
      const done = ended.length < batchSize
      const handled = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
      // Other jobs have repeated these runs since the call.
      const others = done ? Math.max(0, total - handled) : 0
      return {
        checkpoint: { after: last === undefined ? after : [DateTime.formatIso(last.startedAt), last.id], ...counts },
        done,
        progress: { done: handled + others, total },
        counts: { ...counts, repeated: counts.repeated + others }
      }
    },
    Effect.catchTags({
      NotFound: () => new JobFailed({ reason: "The workflow was deleted." }),
      WorkflowNotActive: () => new JobFailed({ reason: "The workflow is no longer active." })
    })
  )
})
