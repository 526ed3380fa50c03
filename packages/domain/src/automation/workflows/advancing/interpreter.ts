import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type ConditionExplanation, evaluateCondition } from "../../automations/index.ts"
import type { StoredWorkflowRun } from "../runs/WorkflowRuns.ts"
import { branchFactGroups } from "../runs/goals.ts"
import type { LoadedWorkflow } from "../runs/runContext.ts"
import type { RunCommand, RunCommandOf, RunInput, RunInputOf } from "../runs/runState.ts"
import { executeStoreCommand } from "../runs/savedRuns.ts"
import { stepRun } from "../runs/step.ts"
import { branchFacts, checkGoals, performNodeAction } from "./actionNodes.ts"
import { contactMissing, type RunSession, sessionFacts, startRunSession } from "./runSession.ts"
import { awaitEvent, checkUnread, planWait } from "./waitNodes.ts"

/** Evaluates branches until one holds. */
export const evaluateBranches = Effect.fnUntraced(function* (
  session: RunSession,
  { node }: RunCommandOf<"EvaluateBranches">
) {
  const found = yield* sessionFacts(session)
  if (found === null) return yield* contactMissing(session)
  const facts = yield* branchFacts(session, node.branches, found)
  const results: Array<ConditionExplanation> = []
  for (const branch of node.branches) {
    const result = yield* evaluateCondition(branch.if, branchFactGroups, facts)
    results.push(result)
    if (result.held) break
  }
  return { _tag: "BranchesEvaluated", now: yield* DateTime.now, results } satisfies RunInputOf<"BranchesEvaluated">
})

const stored: RunInput | null = null

/** Executes a command; returns its result as an input, or `null` after storing the run. */
const perform = Effect.fnUntraced(function* (session: RunSession, command: RunCommand) {
  switch (command._tag) {
    case "CheckGoals":
      return yield* checkGoals(session)
    case "PerformAction":
      return yield* performNodeAction(session, command)
    case "PlanWait":
      return yield* planWait(session, command)
    case "AwaitEvent":
      return yield* awaitEvent(session, command)
    case "CheckUnread":
      return yield* checkUnread(command)
    case "EvaluateBranches":
      return yield* evaluateBranches(session, command)
    case "Save":
    case "OpenLane":
      session.kept = yield* executeStoreCommand(session.kept, session.state, command)
      return stored
  }
})

/** Applies an input and the inputs that follow from it, until no command is left. */
export const feed = Effect.fnUntraced(function* <E, R>(
  session: RunSession,
  first: RunInput,
  execute: (command: RunCommand) => Effect.Effect<RunInput | null, E, R>
) {
  let input: RunInput | null = first
  while (input !== null) {
    const { commands, state } = stepRun(session.course, session.state, input)
    session.state = state
    input = null
    for (const command of commands) input = yield* execute(command)
  }
})

/** Advances a run and stores all changes in one unit of work. Nothing is stored if the lease is lost. */
export const advanceRun = Effect.fnUntraced(function* (
  lease: LaneLease,
  course: LoadedWorkflow,
  kept: StoredWorkflowRun
) {
  const session = startRunSession(course, kept)
  yield* feed(session, { _tag: "Woken", now: yield* DateTime.now }, (command) => perform(session, command))
  yield* (yield* LaneQueue).hold(lease)
  return session.kept
}, transact)
