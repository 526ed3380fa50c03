import { DateTime, Effect, Equal } from "effect"
import { Contacts } from "../../crm/index.ts"
import { arrivalOf, waitUntil } from "./advancing/waitNodes.ts"
import type { NodeId, WorkflowNode } from "./graph/Node.ts"
import type { StoredWorkflowRun } from "./runs/WorkflowRuns.ts"
import { type LoadedWorkflow, findCurrentNode } from "./runs/runContext.ts"
import { enterNode, exitRun, restRun, restForEvent, toSteps, withWorkflowVersion } from "./runs/runTransitions.ts"
import type { RunChanges } from "./runs/savedRuns.ts"

/** Continues a wait in the same node of the new version; `null` if the run must enter the node again. */
const restInNewVersion = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  before: WorkflowNode,
  node: WorkflowNode,
  now: DateTime.Utc
) {
  const anew: StoredWorkflowRun | null = null
  if (before.kind === "action" && node.kind === "action") return Equal.equals(before.action, node.action) ? kept : anew
  if (before.kind === "wait" && node.kind === "wait") {
    const { contactId } = kept.run
    const [contact] = contactId === null ? [] : yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return anew
    const until = yield* waitUntil(node, contact, yield* arrivalOf(kept, now))
    return restRun(kept, DateTime.max(until, now))
  }
  if (
    before.kind === "wait_for" &&
    node.kind === "wait_for" &&
    (before.match ?? "contact") === (node.match ?? "contact")
  ) {
    const until = DateTime.add(yield* arrivalOf(kept, now), { seconds: node.timeoutSeconds })
    return restForEvent(kept, DateTime.max(until, now), kept.progress)
  }
  return anew
})

/**
 * Moves a run to another version. A wait in the same node counts from its start; another node counts from now.
 * Returns `null` if the target node does not exist.
 */
export const transfer = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  [from, to]: readonly [LoadedWorkflow, LoadedWorkflow],
  target: NodeId,
  toVersion: number
) {
  const now = yield* DateTime.now
  const nowhere: RunChanges | null = null
  const node = to.nodes.get(target)
  if (node === undefined) return nowhere
  const on = withWorkflowVersion(kept, toVersion)
  const before = findCurrentNode(from, kept.run)
  const { isResting } = kept.progress
  if (before !== null && before.id === target) {
    if (!isResting) return { kept: on, steps: [], goals: [] } satisfies RunChanges
    const stays = yield* restInNewVersion(on, before, node, now)
    if (stays !== null) return { kept: stays, steps: [], goals: [] } satisfies RunChanges
  }
  const told = { state: "skipped", output: { movedTo: target, version: toVersion } } as const
  return {
    kept: enterNode(on, target, now),
    steps: isResting ? toSteps(kept, told, now) : [],
    goals: []
  } satisfies RunChanges
})

/** Exits a run whose node does not exist in the other version. */
export const exitForMissingNode = (kept: StoredWorkflowRun, now: DateTime.Utc): RunChanges => ({
  kept: exitRun(kept, "node_gone", now),
  steps: [],
  goals: []
})
