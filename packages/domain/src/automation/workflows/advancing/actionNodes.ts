import { DateTime, Effect, Schema } from "effect"
import { CurrentCausation } from "../../../kernel/index.ts"
import { MessageTemplates } from "../../../messaging/chat/index.ts"
import { type Action, type ActionError, causedBy, performAction } from "../../automations/index.ts"
import type { ActionNode } from "../graph/Node.ts"
import { WorkflowStep } from "../runs/WorkflowRun.ts"
import { type StoredWorkflowRun, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { reachedGoals } from "../runs/goals.ts"
import { afterAction } from "../runs/nodeRules.ts"
import { applyTransition, type RunExecution, withFacts } from "../runs/runContext.ts"
import { exitRun, holdRun, type RunTransition, withReachedGoal, toSteps, visitCount } from "../runs/runTransitions.ts"

/** Maximum time that a run waits for a paused template or a disconnected account. */
const maxHold = { hours: 72 }

/** Interval between checks, in addition to events about the template or the account. */
const recheckInterval = { hours: 1 }

const templateIdOf = (action: Action) => {
  if (action.type === "send_template") return action.template.id
  return action.type === "send_message" ? (action.whenClosed?.id ?? null) : null
}

/** Missing dependency of an action that can return; `null` if the error has another cause. */
const missingDependency = Effect.fnUntraced(function* (action: Action, { code }: ActionError) {
  const lacking = (what: "template" | "account" | null) => what
  if (code === "chat_account_disconnected") return lacking("account")
  const id = code === "template_not_approved" ? templateIdOf(action) : null
  if (id === null) return lacking(null)
  const [template] = yield* (yield* MessageTemplates).find([id])
  return lacking(template?.status === "paused" ? "template" : null)
})

/** Holds the run while a dependency is missing. Returns `null` if the error has another cause, or the maximum time is over. */
const holdForMissingDependency = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  { action }: ActionNode,
  error: ActionError,
  now: DateTime.Utc
) {
  const nothing: RunTransition | null = null
  const lacking = yield* missingDependency(action, error)
  if (lacking === null) return nothing
  const since = kept.progress.heldSince ?? now
  const end = DateTime.add(since, maxHold)
  if (DateTime.isLessThanOrEqualTo(end, now)) return nothing
  const again = DateTime.min(end, DateTime.add(now, recheckInterval))
  const moved: RunTransition = {
    kept: holdRun(kept, lacking, since, again),
    steps: toSteps(kept, { state: "waiting", error }, now)
  }
  return moved
})

const encode = Schema.encodeSync(Schema.toCodecJson(WorkflowStep))

/** Template variables of the steps: the latest step of each node. */
const loadStepVariables = Effect.fnUntraced(function* ({ trip }: RunExecution) {
  const before = yield* (yield* WorkflowRuns).steps(trip.kept.run.id)
  const all = [...before, ...trip.steps.map(({ step }) => step)]
  return Object.fromEntries(all.map((step) => [step.node, encode(step)]))
})

/** Checks goals and exits before an action. The run can have reached a goal or met an exit. */
const checkGoals = Effect.fnUntraced(function* (before: RunExecution) {
  const { facts, leg } = yield* withFacts(before)
  if (facts === null) return { leg, facts }
  const { kept } = leg.trip
  const { goals, leaves } = yield* reachedGoals(leg.course.graph, kept.run.goals, facts, null)
  if (goals.length === 0 && leaves === null) return { leg, facts }
  const reached = goals.reduce(withReachedGoal, kept)
  const left = leaves === null ? reached : exitRun(reached, leaves.reason, yield* DateTime.now, leaves.id)
  const trip = { ...leg.trip, kept: left, goals: [...leg.trip.goals, ...goals] }
  return { leg: { ...leg, trip }, facts: leaves === null ? facts : null }
})

/** Performs the action, unless a goal or an exit ends the run. */
export const executeActionNode = Effect.fnUntraced(function* (before: RunExecution, node: ActionNode) {
  const { facts, leg } = yield* checkGoals(before)
  if (facts === null) return leg
  const { kept } = leg.trip
  const { causation, event, id: runId, workflowId: id } = kept.run
  const named = JSON.stringify(node.action)
  const texts = {
    ...facts.texts,
    input: kept.run.input ?? {},
    steps: named.includes("steps") ? yield* loadStepVariables(leg) : {}
  }
  const by = { kind: "workflow", id } as const
  const cause = { ...by, runId, step: node.id, visit: visitCount(kept.progress, node.id) }
  const result = yield* performAction(node.action, { cause, facts: { ...facts, texts } }).pipe(
    Effect.provideService(CurrentCausation, causedBy(causation, by, event?.position ?? null))
  )
  const now = yield* DateTime.now
  const isHeld = result.kind === "refused" ? yield* holdForMissingDependency(kept, node, result.error, now) : null
  const moved = isHeld ?? afterAction(kept, node, result, now)
  // The action can change the facts, so they are loaded again.
  return { ...applyTransition(leg, moved), facts: null, hasActed: true }
})
