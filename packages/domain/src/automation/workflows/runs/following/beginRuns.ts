import { Effect } from "effect"
import { type Facts, judge, type TriggerEvent } from "../../../automations/index.ts"
import type { BeginningWorkflow } from "../../Workflow.ts"
import { Workflows } from "../../Workflows.ts"
import { groupsOfRun } from "../factsOfRun.ts"
import { isThat, type Occurrence, subjectOf } from "../occurrence.ts"
import { startRun } from "../starting/startRun.ts"

/** Reads which workflows begin on an event, for each of them once. */
export const makeEntries = () => {
  const known = new Map<TriggerEvent, ReadonlyArray<BeginningWorkflow>>()
  return Effect.fnUntraced(function* (trigger: TriggerEvent) {
    const found = known.get(trigger) ?? (yield* (yield* Workflows).beginningOn(trigger))
    known.set(trigger, found)
    return found
  })
}

/** Begins a run of each of these workflows that what has happened is for. */
export const beginRuns = Effect.fnUntraced(function* <R>(
  workflows: ReadonlyArray<BeginningWorkflow>,
  occurrence: Occurrence,
  factsOnce: Effect.Effect<Facts | null, never, R>
) {
  const { at, causation, event, position } = occurrence.logged
  for (const workflow of workflows) {
    const { entry } = workflow.graph
    if (entry?.event == null || position <= workflow.activeAfter || !isThat(occurrence, entry.event)) continue
    const facts = yield* factsOnce
    if (facts === null) return
    const key = subjectOf(entry.by ?? "contact", event, facts)
    if (key === null || !(yield* judge(entry.if ?? {}, groupsOfRun, facts)).held) continue
    yield* startRun(workflow, {
      name: String(position),
      contactId: facts.contactId,
      key,
      event: { position, type: event.type },
      causation,
      input: {},
      from: position,
      dueAt: at
    })
  }
})
