import { DateTime, Effect, Schema } from "effect"
import { causedBy, performAction } from "../../../automations/index.ts"
import { CurrentCausation } from "../../../../kernel/index.ts"
import type { ActionNode } from "../../graph/Node.ts"
import { WorkflowStep } from "../WorkflowRun.ts"
import { WorkflowRuns } from "../WorkflowRuns.ts"
import { marksOf } from "../marks.ts"
import { afterAction } from "../moving/afterAction.ts"
import { exited, reaching, visitsOf } from "../moving/moves.ts"
import { after, type Leg, withFacts } from "./Leg.ts"
import { heldForLacking } from "./lacking.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(WorkflowStep))

/** What texts may name of what the run did: of each node, what it did there last. */
const stepsSoFar = Effect.fnUntraced(function* ({ trip }: Leg) {
  const before = yield* (yield* WorkflowRuns).steps(trip.kept.run.id)
  const all = [...before, ...trip.steps.map(({ step }) => step)]
  return Object.fromEntries(all.map((step) => [step.node, encode(step)]))
})

/** Looks at what a run is for before it acts: it may have come to that, or be nothing for the contact any more. */
const marked = Effect.fnUntraced(function* (before: Leg) {
  const { facts, leg } = yield* withFacts(before)
  if (facts === null) return { leg, facts }
  const { kept } = leg.trip
  const { goals, leaves } = yield* marksOf(leg.course.graph, kept.run.goals, facts, null)
  if (goals.length === 0 && leaves === null) return { leg, facts }
  const reached = goals.reduce(reaching, kept)
  const left = leaves === null ? reached : exited(reached, leaves, yield* DateTime.now)
  const trip = { ...leg.trip, kept: left, goals: [...leg.trip.goals, ...goals] }
  return { leg: { ...leg, trip }, facts: leaves === null ? facts : null }
})

/** Acts, unless the run has come to what it is for. */
export const passAction = Effect.fnUntraced(function* (before: Leg, node: ActionNode) {
  const { facts, leg } = yield* marked(before)
  if (facts === null) return leg
  const { kept } = leg.trip
  const { causation, event, id: runId, workflowId: id } = kept.run
  const named = JSON.stringify(node.action)
  const texts = {
    ...facts.texts,
    input: kept.progress.input,
    steps: named.includes("steps") ? yield* stepsSoFar(leg) : {}
  }
  const by = { kind: "workflow", id } as const
  const cause = { ...by, runId, step: node.id, visit: visitsOf(kept.progress, node.id) }
  const result = yield* performAction(node.action, { cause, facts: { ...facts, texts } }).pipe(
    Effect.provideService(CurrentCausation, causedBy(causation, by, event?.position ?? null))
  )
  const now = yield* DateTime.now
  const isHeld = result.kind === "refused" ? yield* heldForLacking(kept, node, result.error, now) : null
  const moved = isHeld ?? afterAction(kept, node, result, now)
  // What was read before is not what it was.
  return { ...after(leg, moved), facts: null, hasActed: true }
})
