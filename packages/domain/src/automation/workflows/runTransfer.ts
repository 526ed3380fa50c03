import { DateTime, Effect, Equal } from "effect"
import { Contacts } from "../../crm/index.ts"
import { waitUntil } from "./advancing/waitNodes.ts"
import type { NodeId, WorkflowNode } from "./graph/Node.ts"
import { type KeptWorkflowRun, WorkflowRuns } from "./runs/WorkflowRuns.ts"
import { type Course, nodeIn } from "./runs/runContext.ts"
import { enter, exited, rest, restFor, stepIn, transferred } from "./runs/runTransitions.ts"
import type { Trip } from "./runs/savedRuns.ts"

/** When a run came to where it rests. */
const arrivalOf = Effect.fnUntraced(function* ({ run }: KeptWorkflowRun, now: DateTime.Utc) {
  return (yield* (yield* WorkflowRuns).steps(run.id)).at(-1)?.at ?? now
})

/** The run as it rests in a node that its new version has as well; `null` where it does what the node says anew. */
const resting = Effect.fnUntraced(function* (
  kept: KeptWorkflowRun,
  before: WorkflowNode,
  node: WorkflowNode,
  now: DateTime.Utc
) {
  const anew: KeptWorkflowRun | null = null
  if (before.kind === "action" && node.kind === "action") return Equal.equals(before.action, node.action) ? kept : anew
  if (before.kind === "wait" && node.kind === "wait") {
    const { contactId } = kept.run
    const [contact] = contactId === null ? [] : yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return anew
    const until = yield* waitUntil(node, contact, yield* arrivalOf(kept, now))
    return rest(kept, DateTime.max(until, now))
  }
  if (
    before.kind === "wait_for" &&
    node.kind === "wait_for" &&
    (before.match ?? "contact") === (node.match ?? "contact")
  ) {
    const until = DateTime.add(yield* arrivalOf(kept, now), { seconds: node.timeoutSeconds })
    return restFor(kept, DateTime.max(until, now), kept.progress)
  }
  return anew
})

/** A run that goes on by another version: in the same node from when it came there, in another one from now. `null`: it has no node there. */
export const transfer = Effect.fnUntraced(function* (
  kept: KeptWorkflowRun,
  [from, to]: readonly [Course, Course],
  target: NodeId,
  toVersion: number
) {
  const now = yield* DateTime.now
  const nowhere: Trip | null = null
  const node = to.nodes.get(target)
  if (node === undefined) return nowhere
  const on = transferred(kept, toVersion)
  const before = nodeIn(from, kept.run)
  const { isResting } = kept.progress
  if (before !== null && before.id === target) {
    if (!isResting) return { kept: on, steps: [], goals: [] } satisfies Trip
    const stays = yield* resting(on, before, node, now)
    if (stays !== null) return { kept: stays, steps: [], goals: [] } satisfies Trip
  }
  const told = { state: "skipped", output: { movedTo: target, version: toVersion } } as const
  return { kept: enter(on, target, now), steps: isResting ? stepIn(kept, told, now) : [], goals: [] } satisfies Trip
})

/** A run that leaves, since the other version has no place for it. */
export const leaving = (kept: KeptWorkflowRun, now: DateTime.Utc): Trip => ({
  kept: exited(kept, "node_gone", now),
  steps: [],
  goals: []
})
