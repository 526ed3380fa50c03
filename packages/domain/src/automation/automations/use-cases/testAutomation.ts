import { DateTime, Effect, Predicate } from "effect"
import { CurrentCausation, NotFound, nextId, requireReach, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { tryActions } from "../actions/tryAction.ts"
import { type AutomationDefinition, type AutomationId, definitionOf } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import { checkDefinition } from "../checks/checkDefinition.ts"
import { factsOf } from "../facts/factsOf.ts"
import { needsOfAutomations } from "../needs.ts"
import { AutomationRunId } from "../runs/AutomationRun.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { causedBy, cutOf } from "../runs/cuts.ts"
import { judgement } from "../runs/judgement.ts"
import { mostInAnHour } from "../runs/performing/ContactTurn.ts"
import { schedulesNamed } from "../schedulesNamed.ts"
import { reachable } from "../runs/starting/whoseEvent.ts"
import type { AutomationTest, AutomationTestResult } from "../testing/AutomationTest.ts"
import { sourceAt } from "../testing/sourceAt.ts"
import { whoseNow } from "../testing/whoseNow.ts"
import { isCountedFrom } from "../triggers/countedFrom.ts"
import { isBulk } from "../triggers/isBulk.ts"

/** What is tried: what is saved, with what a draft says instead. Only a draft is checked, as if it were saved. */
const meant = Effect.fnUntraced(function* (id: AutomationId, { draft }: AutomationTest) {
  const saved = definitionOf(yield* (yield* Automations).get(id))
  const definition: AutomationDefinition = { ...saved, ...draft }
  yield* requireReach(yield* needsOfAutomations([definition]))
  if (draft !== undefined) yield* checkDefinition(definition, false, "/draft")
  const { when } = definition
  if (when !== null) return { ...definition, when }
  const errors = [{ pointer: "/draft/when", message: "Expected the event on which it runs" }]
  return yield* new ValidationFailed({ errors })
})

/** Tells what an automation would do about an event that has happened, as things are today. Nothing of it is done. */
export const testAutomation = useCase(
  "automation.test",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "automation" },
  Effect.fnUntraced(function* (id: AutomationId, test: AutomationTest) {
    const definition = yield* meant(id, test)
    const source = yield* sourceAt(test.position, definition.when)
    const contactId = yield* whoseNow(source)
    const factsNow = factsOf(source, contactId, schedulesNamed([definition.if], definition.then))
    const facts = contactId === null ? null : yield* factsNow
    if (contactId === null || facts === null) {
      const nobody: AutomationTestResult = { wouldRun: false, cut: "contact_gone", conditions: null, actions: [] }
      return nobody
    }
    const conditions = yield* judgement(definition, facts)
    const by = { kind: "automation", id } as const
    const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
    const begun = (yield* (yield* AutomationRuns).begunSince(contactId, since)).get(id) ?? 0
    const cut = cutOf(source.causation, by) ?? (conditions.held && begun >= mostInAnHour ? "rate" : null)
    const isStarted = isCountedFrom(definition.when, source) && !isBulk(source.event)
    const isReachable = (yield* reachable([contactId])).has(contactId)
    const cause = { ...by, runId: yield* nextId(AutomationRunId), step: "0", visit: 1 }
    const stillThere = Effect.filterOrFail(factsNow, Predicate.isNotNull, () => new NotFound({ resource: "contact" }))
    const actions = yield* tryActions(definition.then, cause, stillThere).pipe(
      Effect.provideService(CurrentCausation, causedBy(source.causation, by, source.position))
    )
    const result: AutomationTestResult = {
      wouldRun: isStarted && isReachable && cut === null && conditions.held,
      cut,
      conditions,
      actions
    }
    return result
  })
)
