import { DateTime, Effect, Schema } from "effect"
import { isStorable, type ValidationIssue, requirePermissions } from "../../kernel/index.ts"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { WorkflowId } from "../automations/index.ts"
import { VersionNumber, Workflows } from "./Workflow.ts"
import type { Graph } from "./graph/Graph.ts"
import { NodeId } from "./graph/Node.ts"
import { planMove } from "./runTransfer.ts"
import { type StoredWorkflowRun, WorkflowRuns } from "./runs/WorkflowRuns.ts"
import { type LoadedWorkflow, makeWorkflowLoader } from "./runs/runContext.ts"
import { applyToRun } from "./runs/savedRuns.ts"
import { needsOfGraphs } from "./workflowPermissions.ts"

/** Policy for runs whose node does not exist in the published version. */
export const MissingNode = Schema.Literals(["stay", "exit"])
export type MissingNode = typeof MissingNode.Type

/** Runs to move to the published version, with a node mapping. */
export const WorkflowRunsMove = Schema.Struct({
  fromVersion: VersionNumber.annotateKey({ description: "Current version of the runs." }),
  map: Schema.optionalKey(Schema.Record(Schema.String, NodeId).check(isStorable)).annotateKey({
    description:
      "Map from nodes of the current version to nodes of the published version. Other runs go to the node with the same id."
  }),
  missing: Schema.optionalKey(MissingNode).annotateKey({
    description: "Handling of runs whose node is missing in the published version: `stay` or `exit`. Default: `stay`."
  })
}).annotate({ identifier: "WorkflowRunsMove" })
export type WorkflowRunsMove = typeof WorkflowRunsMove.Type

const pointerTo = (name: string) => `/map/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`

const has = ({ nodes }: Graph, name: string) => nodes.some(({ id }) => id === name)

/** Finds unknown versions and nodes in a move, with their pointers. */
export const validateRunsMove = Effect.fnUntraced(function* (
  workflowId: WorkflowId,
  published: number,
  { fromVersion, map = {} }: WorkflowRunsMove
) {
  const workflows = yield* Workflows
  const fault = (pointer: string, message: string): ValidationIssue => ({ pointer, message })
  if (fromVersion === published) {
    return [fault("/fromVersion", "Expected another version than the published one")]
  }
  const [from, to] = yield* Effect.all([
    Effect.option(workflows.version(workflowId, fromVersion)),
    Effect.orDie(workflows.version(workflowId, published))
  ])
  if (from._tag === "None") return [fault("/fromVersion", "There is no published version with this number")]
  return Object.entries(map).flatMap(([one, other]) => [
    ...(has(from.value.graph, one) ? [] : [fault(pointerTo(one), `Version ${fromVersion} does not have this node`)]),
    ...(has(to.graph, other) ? [] : [fault(pointerTo(one), `Version ${published} does not have the node ${other}`)])
  ])
})

/** Number of runs per step. */
const batchSize = 100

const Input = Schema.Struct({
  workflowId: WorkflowId,
  fromVersion: Schema.Int,
  toVersion: Schema.Int,
  map: Schema.Record(Schema.String, NodeId),
  missing: MissingNode
})

/** Moves a run; returns whether it moved, stayed or exited. */
const moveRun = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  courses: readonly [LoadedWorkflow, LoadedWorkflow],
  { map, missing, toVersion }: typeof Input.Type
) {
  const { node } = kept.run
  // An unmapped id can equal an inherited property name such as `constructor`.
  const target = node !== null && Object.hasOwn(map, node) ? (map[node] ?? node) : node
  const move = target === null ? null : yield* planMove(kept, courses, target, toVersion)
  if (move === null && missing === "stay") return "stayed" as const
  const exit = { _tag: "Moved", now: yield* DateTime.now, version: toVersion, node: null, stay: null } as const
  // The run is locked until this unit of work ends, so no conflict is possible.
  yield* Effect.orDie(applyToRun(kept, move ?? exit))
  return move === null ? ("exited" as const) : ("moved" as const)
})

/** Moves the live runs of a version to another version. */
export const migrateRunsJob = defineJob({
  name: "workflows.migrate_runs",
  needs: ["workflows.manage"],
  input: Input,
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.Array(Schema.String)),
    moved: Schema.Int,
    stayed: Schema.Int,
    exited: Schema.Int
  }),
  step: Effect.fnUntraced(function* (input, checkpoint) {
    const { fromVersion, toVersion, workflowId } = input
    const { after, ...counts } = checkpoint ?? { after: null, moved: 0, stayed: 0, exited: 0 }
    yield* Effect.mapError(
      (yield* Workflows).get(workflowId),
      () => new JobFailed({ reason: "The workflow was deleted." })
    )
    const read = makeWorkflowLoader()
    const target = yield* Effect.option((yield* Workflows).version(workflowId, toVersion))
    if (target._tag === "Some") yield* requirePermissions(yield* needsOfGraphs([target.value.graph]))
    const courses = [yield* read(workflowId, fromVersion), yield* read(workflowId, toVersion)] as const
    const live = yield* (yield* WorkflowRuns).lockOfVersion(workflowId, fromVersion, { after, limit: batchSize })
    for (const kept of live) counts[yield* moveRun(kept, courses, input)] += 1
    const last = live.at(-1)?.run
    const done = counts.moved + counts.stayed + counts.exited
    return {
      checkpoint: { after: last === undefined ? after : [DateTime.formatIso(last.startedAt), last.id], ...counts },
      done: live.length < batchSize,
      progress: { done, total: null },
      counts
    }
  })
})
