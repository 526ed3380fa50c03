import { DateTime, Effect, Schema } from "effect"
import { CurrentCausation } from "../../../kernel/index.ts"
import { MessageTemplates } from "../../../messaging/chat/index.ts"
import { type Action, type ActionError, causedBy, type Facts, performAction } from "../../automations/index.ts"
import type { BranchNode } from "../graph/Node.ts"
import { WorkflowStep } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { reachedGoals } from "../runs/goals.ts"
import type { MissingDependency, RunCommandOf, RunInputOf, RunState } from "../runs/runState.ts"
import { contactMissing, type RunSession, sessionFacts } from "./runSession.ts"

const templateIdOf = (action: Action) => {
  if (action.type === "send_template") return action.template.id
  return action.type === "send_message" ? (action.whenClosed?.id ?? null) : null
}

/** Missing dependency of an action that can return; `null` if the error has another cause. */
const missingDependency = Effect.fnUntraced(function* (action: Action, { code }: ActionError) {
  const lacking = (what: MissingDependency | null) => what
  if (code === "chat_account_disconnected") return lacking("account")
  const id = code === "template_not_approved" ? templateIdOf(action) : null
  if (id === null) return lacking(null)
  const [template] = yield* (yield* MessageTemplates).find([id])
  return lacking(template?.status === "paused" ? "template" : null)
})

const encode = Schema.encodeSync(Schema.toCodecJson(WorkflowStep))

const encodeSteps = (steps: ReadonlyArray<WorkflowStep>) =>
  Object.fromEntries(steps.map((step): readonly [string, Schema.Json] => [step.node, encode(step) as Schema.Json]))

/** Template variables of the steps: the latest step of each node. */
const loadStepVariables = Effect.fnUntraced(function* (session: RunSession) {
  const { run, steps } = session.state
  const { byNode, encoded } = session.variables ?? {
    byNode: encodeSteps(yield* (yield* WorkflowRuns).steps(run.id)),
    encoded: 0
  }
  const added = encodeSteps(steps.slice(encoded).map(({ step }) => step))
  session.variables = { byNode: { ...byNode, ...added }, encoded: steps.length }
  return session.variables.byNode
})

/** Adds the steps of the run to the facts of its branches, if a condition names them. */
export const branchFacts = Effect.fnUntraced(function* (
  session: RunSession,
  branches: BranchNode["branches"],
  facts: Facts
) {
  if (!JSON.stringify(branches).includes('"steps"')) return facts
  return { ...facts, steps: yield* loadStepVariables(session) } satisfies Facts
})

/** Checks goals and exits before an action. The run can have reached a goal or met an exit. */
export const checkGoals = Effect.fnUntraced(function* (session: RunSession) {
  const facts = yield* sessionFacts(session)
  if (facts === null) return yield* contactMissing(session)
  const check = yield* reachedGoals(session.course.graph, session.state.run.goals, facts, null)
  return { _tag: "GoalsChecked", now: yield* DateTime.now, ...check } satisfies RunInputOf<"GoalsChecked">
})

/** Adds the input of the run and its steps to the template variables of an action. */
export const actionFacts = Effect.fnUntraced(function* (session: RunSession, action: Action, facts: Facts) {
  const isStepNamed = JSON.stringify(action).includes("steps")
  const steps = isStepNamed ? yield* loadStepVariables(session) : {}
  return { ...facts, texts: { ...facts.texts, input: session.state.run.input ?? {}, steps } }
})

/** Origin of the action of a node, and the causation of its events. */
export const actionOrigin = ({ run }: RunState, { node, visit }: RunCommandOf<"PerformAction">) => {
  const by = { kind: "workflow", id: run.workflowId } as const
  return {
    cause: { ...by, runId: run.id, step: node.id, visit },
    causation: causedBy(run.causation, by, run.event?.position ?? null)
  }
}

/** Performs the action of a node in the unit of work of the run. */
export const performNodeAction = Effect.fnUntraced(function* (
  session: RunSession,
  command: RunCommandOf<"PerformAction">
) {
  const { action } = command.node
  const facts = yield* sessionFacts(session)
  if (facts === null) return yield* contactMissing(session)
  const { causation, cause } = actionOrigin(session.state, command)
  const execution = { cause, facts: yield* actionFacts(session, action, facts) }
  const result = yield* Effect.provideService(performAction(action, execution), CurrentCausation, causation)
  // The action can change the facts, so they are loaded again.
  session.facts = null
  const missing = result.kind === "refused" ? yield* missingDependency(action, result.error) : null
  return { _tag: "ActionDone", now: yield* DateTime.now, result, missing } satisfies RunInputOf<"ActionDone">
})
