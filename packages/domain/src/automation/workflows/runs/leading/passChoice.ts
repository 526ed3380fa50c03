import { DateTime, Effect } from "effect"
import { type ConditionExplanation, judge } from "../../../automations/index.ts"
import type { BranchNode, SplitNode } from "../../graph/Node.ts"
import { groupsOfRun } from "../factsOfRun.ts"
import { enter, exited, failed, stepIn } from "../moving/moves.ts"
import { pathOf } from "../moving/split.ts"
import { after, type Leg, withFacts } from "./Leg.ts"

/** Takes the first branch whose condition holds: the ones after it are not looked at. */
export const passBranch = Effect.fnUntraced(function* (before: Leg, node: BranchNode) {
  const now = yield* DateTime.now
  const { facts, leg } = yield* withFacts(before)
  if (facts === null) return leg
  const { kept } = leg.trip
  const any: Array<ConditionExplanation> = []
  for (const [index, { if: condition, next }] of node.branches.entries()) {
    const explanation = yield* judge(condition, groupsOfRun, facts)
    any.push(explanation)
    if (!explanation.held) continue
    const told = { state: "done", output: { branch: index }, conditions: { any, held: true } } as const
    return after(leg, { kept: enter(kept, next, now), steps: stepIn(kept, told, now) })
  }
  const told = { state: "done", output: { branch: "else" }, conditions: { any, held: false } } as const
  return after(leg, { kept: enter(kept, node.else, now), steps: stepIn(kept, told, now) })
})

/** Takes the path of the contact. */
export const passSplit = Effect.fnUntraced(function* (leg: Leg, node: SplitNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  const { contactId, workflowId } = kept.run
  if (contactId === null) return after(leg, { kept: exited(kept, "contact_gone", now), steps: [] })
  const path = pathOf(node, workflowId, contactId)
  if (path === null) return after(leg, { kept: failed(kept, "node_gone", now), steps: [] })
  const steps = stepIn(kept, { state: "done", output: { path: path.index } }, now)
  return after(leg, { kept: enter(kept, path.next, now), steps })
})
