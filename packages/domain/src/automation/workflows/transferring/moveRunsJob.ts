import { DateTime, Effect, Schema } from "effect"
import { WorkflowId } from "../../automations/index.ts"
import { defineJob, JobFailed } from "../../../platform/jobs/index.ts"
import { requireHeld } from "../../../kernel/index.ts"
import { NodeId } from "../graph/NodeId.ts"
import { needsOfGraphs } from "../needs.ts"
import { type Course, makeCourses } from "../runs/Course.ts"
import { keepRun } from "../runs/keepRun.ts"
import { openWorkflowLanes } from "../runs/runLanes.ts"
import { type KeptWorkflowRun, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { Workflows } from "../Workflows.ts"
import { leaving, transfer } from "./transfer.ts"
import { MissingNode } from "./WorkflowRunsMove.ts"

/** So many runs are moved in one step. */
const stride = 100

const Input = Schema.Struct({
  workflowId: WorkflowId,
  fromVersion: Schema.Int,
  toVersion: Schema.Int,
  map: Schema.Record(Schema.String, NodeId),
  missing: MissingNode
})

/** What became of a run. */
const moveRun = Effect.fnUntraced(function* (
  kept: KeptWorkflowRun,
  courses: readonly [Course, Course],
  { map, missing, toVersion }: typeof Input.Type
) {
  const { node } = kept.run
  // As with visits, an id that is not in the map may be a word that every object answers to.
  const target = node !== null && Object.hasOwn(map, node) ? (map[node] ?? node) : node
  const trip = target === null ? null : yield* transfer(kept, courses, target, toVersion)
  if (trip === null && missing === "stay") return "stayed" as const
  // Nobody else changes the run before this unit of work ends.
  const { lane } = yield* Effect.orDie(keepRun(trip ?? leaving(kept, yield* DateTime.now)))
  if (trip === null) return "exited" as const
  yield* openWorkflowLanes([lane])
  return "moved" as const
})

/** Has the live runs of a version go on by another one. */
export const moveRunsJob = defineJob({
  name: "workflows.move_runs",
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
    const read = makeCourses()
    const target = yield* Effect.option((yield* Workflows).version(workflowId, toVersion))
    if (target._tag === "Some") yield* requireHeld(yield* needsOfGraphs([target.value.graph]))
    const courses = [yield* read(workflowId, fromVersion), yield* read(workflowId, toVersion)] as const
    const live = yield* (yield* WorkflowRuns).lockOfVersion(workflowId, fromVersion, { after, limit: stride })
    for (const kept of live) counts[yield* moveRun(kept, courses, input)] += 1
    const last = live.at(-1)?.run
    const done = counts.moved + counts.stayed + counts.exited
    return {
      checkpoint: { after: last === undefined ? after : [DateTime.formatIso(last.startedAt), last.id], ...counts },
      done: live.length < stride,
      progress: { done, total: null },
      counts
    }
  })
})
