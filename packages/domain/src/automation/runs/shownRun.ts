import { Effect } from "effect"
import { CurrentActor, holds } from "../../kernel/index.ts"
import { withoutSeen } from "../conditions/ConditionExplanation.ts"
import { AutomationRun, isRunOver } from "./AutomationRun.ts"
import { heldBecause } from "./held.ts"

/** Whether the actor may see what conditions saw. */
export const seesFacts = Effect.map(
  CurrentActor,
  (actor) => holds(actor, "contacts.read") && holds(actor, "conversations.read")
)

const withoutFacts = (run: AutomationRun) =>
  run.conditions === null ? run : new AutomationRun({ ...run, conditions: withoutSeen(run.conditions) })

/** Runs as the actor may see them. One that is not over says why it does not go on now. */
export const shownRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const isSeen = yield* seesFacts
  const reason = runs.every(({ state }) => isRunOver(state)) ? null : yield* heldBecause
  return runs
    .map((run) => (isSeen ? run : withoutFacts(run)))
    .map((run) => (isRunOver(run.state) || reason === null ? run : new AutomationRun({ ...run, reason })))
})
