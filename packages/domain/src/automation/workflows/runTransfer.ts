import { DateTime, Effect, Equal } from "effect"
import { Contacts } from "../../crm/index.ts"
import { arrivalOf, waitUntil } from "./advancing/waitNodes.ts"
import type { NodeId, WorkflowNode } from "./graph/Node.ts"
import type { StoredWorkflowRun } from "./runs/WorkflowRuns.ts"
import { type LoadedWorkflow, findCurrentNode } from "./runs/runContext.ts"
import type { RunInputOf } from "./runs/runState.ts"

type Stay = RunInputOf<"Moved">["stay"]

const unchanged: Stay = { until: null }

/** Continues a wait in the same node of the new version; `null` if the run must enter the node again. */
const stayInNewVersion = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  before: WorkflowNode,
  node: WorkflowNode,
  now: DateTime.Utc
) {
  const enters: Stay = null
  if (before.kind === "action" && node.kind === "action") {
    return Equal.equals(before.action, node.action) ? unchanged : enters
  }
  if (before.kind === "wait" && node.kind === "wait") {
    const { contactId } = kept.run
    const [contact] = contactId === null ? [] : yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return enters
    const until = yield* waitUntil(node, contact, yield* arrivalOf(kept, now))
    return { until: DateTime.max(until, now) } satisfies Stay
  }
  if (
    before.kind === "wait_for" &&
    node.kind === "wait_for" &&
    (before.match ?? "contact") === (node.match ?? "contact")
  ) {
    const until = DateTime.add(yield* arrivalOf(kept, now), { seconds: node.timeoutSeconds })
    return { until: DateTime.max(until, now) } satisfies Stay
  }
  return enters
})

/**
 * Plans the move of a run to another version. A wait in the same node counts from its start; another node counts from now.
 * Returns `null` if the target node does not exist.
 */
export const planMove = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  [from, to]: readonly [LoadedWorkflow, LoadedWorkflow],
  target: NodeId,
  version: number
) {
  const now = yield* DateTime.now
  const nowhere: RunInputOf<"Moved"> | null = null
  const node = to.nodes.get(target)
  if (node === undefined) return nowhere
  const before = findCurrentNode(from, kept.run)
  const move = { _tag: "Moved", now, version, node: target } as const
  if (before?.id !== target) return { ...move, stay: null } satisfies RunInputOf<"Moved">
  const stay = kept.progress.isResting ? yield* stayInNewVersion(kept, before, node, now) : unchanged
  return { ...move, stay } satisfies RunInputOf<"Moved">
})
