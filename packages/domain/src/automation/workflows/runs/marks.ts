import { Effect } from "effect"
import { type ConditionInput, type Facts, judge, type Trigger } from "../../automations/index.ts"
import type { Graph } from "../graph/Graph.ts"
import type { NodeId } from "../graph/NodeId.ts"
import { groupsOfRun } from "./factsOfRun.ts"
import { isThat, type Occurrence } from "./occurrence.ts"

interface Mark {
  readonly event?: Trigger | null
  readonly if?: ConditionInput
}

/** What a run has come to by what has happened, or by what holds now. */
export interface Marked {
  /** The goals that are new. */
  readonly goals: ReadonlyArray<NodeId>
  /** Why it leaves; `null` where it stays. */
  readonly leaves: "goal" | "exit" | null
}

/** Whether there is anything to look at. */
export const hasMarks = ({ exits = [], goals = [] }: Graph): boolean => goals.length + exits.length > 0

/** Where nothing has just happened, what asks for an event is not met. */
const isMet = Effect.fnUntraced(function* (mark: Mark, facts: Facts, occurrence: Occurrence | null) {
  const { event = null, if: condition = {} } = mark
  if (event !== null && (occurrence === null || !isThat(occurrence, event))) return false
  return (yield* judge(condition, groupsOfRun, facts)).held
})

/** Looks at the goals that a run has not reached yet, and at the exits. */
export const marksOf = Effect.fnUntraced(function* (
  { exits = [], goals = [] }: Graph,
  reached: ReadonlyArray<NodeId>,
  facts: Facts,
  occurrence: Occurrence | null
) {
  const found: Array<NodeId> = []
  let leaves: Marked["leaves"] = null
  for (const goal of goals) {
    if (reached.includes(goal.id) || !(yield* isMet(goal, facts, occurrence))) continue
    found.push(goal.id)
    if (goal.exit !== false) leaves = "goal"
  }
  if (leaves === null) {
    for (const exit of exits) {
      if (!(yield* isMet(exit, facts, occurrence))) continue
      leaves = "exit"
      break
    }
  }
  const marked: Marked = { goals: found, leaves }
  return marked
})
