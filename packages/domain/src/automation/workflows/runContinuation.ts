import { DateTime, Effect, Schema } from "effect"
import { invalid } from "../../kernel/index.ts"
import { RunNotWaiting } from "./errors.ts"
import type { StoredWorkflowRun } from "./runs/WorkflowRuns.ts"
import { isInWait } from "./runs/nodeRules.ts"
import { findCurrentNode, type LoadedWorkflow } from "./runs/runContext.ts"
import { type RunInputOf, WaitExit } from "./runs/runState.ts"

/** Early end of a wait. */
export const WorkflowRunContinuation = Schema.Struct({
  as: Schema.optionalKey(WaitExit).annotateKey({
    description: "Exit of a wait for an event. Default: `timeout`. A wait for a time has one exit."
  })
}).annotate({ identifier: "WorkflowRunContinuation" })
export type WorkflowRunContinuation = typeof WorkflowRunContinuation.Type

/** Current wait of a run. Fails outside of a wait. */
const currentWait = Effect.fnUntraced(function* (course: LoadedWorkflow, kept: StoredWorkflowRun) {
  const node = findCurrentNode(course, kept.run)
  if ((node?.kind === "wait" || node?.kind === "wait_for") && isInWait(kept, node)) return node
  return yield* new RunNotWaiting({ node: kept.run.node })
})

/** Builds the input that ends the wait of a run. */
export const toContinuation = Effect.fnUntraced(function* (
  course: LoadedWorkflow,
  kept: StoredWorkflowRun,
  { as = "timeout" }: WorkflowRunContinuation
) {
  const node = yield* currentWait(course, kept)
  if (node.kind === "wait" && as === "event") return yield* invalid("/as", "Expected timeout: the run waits for a time")
  return { _tag: "Continued", now: yield* DateTime.now, node, as } satisfies RunInputOf<"Continued">
})
