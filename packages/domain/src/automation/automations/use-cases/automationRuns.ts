import { DateTime, Effect, Predicate } from "effect"
import {
  CurrentCausation,
  invalid,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  requireReach,
  transact,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { type AutomationDefinition, definitionOf } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { toAutomationRunViews } from "../AutomationSettings.ts"
import { Automations, referencedSchedules } from "../Automations.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import {
  type AutomationTest,
  type AutomationTestResult,
  checkAnswers,
  findDeletedResources,
  sourceAt,
  tryActions,
  currentContact
} from "../automationTests.ts"
import { checkDefinition } from "../checks/definitionChecks.ts"
import { dueSource } from "../dueTests.ts"
import { RunEnded } from "../errors.ts"
import type { Facts } from "../facts/Facts.ts"
import { factsForEvent } from "../facts/eventFacts.ts"
import { abortReason, AutomationRunId, causedBy, isRunOver } from "../runs/AutomationRun.ts"
import { anyAutomationRun, type AutomationRunFilter, AutomationRuns } from "../runs/AutomationRuns.ts"
import { laneOf, scheduleRunLanes } from "../runs/contactLanes.ts"
import { evaluateCondition, evaluateConditions, maxRunsPerHour } from "../runs/contactRunQueue.ts"
import { eligibleContacts } from "../runs/newRuns.ts"
import { stepAutomationRun } from "../runs/runSteps.ts"
import { retryOnRunConflict, saveRuns } from "../runs/savedRuns.ts"
import { withCallOutputs } from "../runs/stepVariables.ts"
import { startCausation } from "../runs/startCausation.ts"
import { audienceOf, isAddressedTo, isBulkEvent, type Trigger } from "../triggers/Trigger.ts"
import type { FactGroup } from "../triggers/factGroups.ts"
import { isTriggerSource } from "../triggers/triggerEvents.ts"

/** Finds a run. Fails with the automation if it is unknown too. */
const runOf = Effect.fnUntraced(function* (id: AutomationId, runId: AutomationRunId) {
  return yield* Effect.tapError((yield* AutomationRuns).get(id, runId), () =>
    Effect.flatMap(Automations, (automations) => automations.get(id))
  )
})

/** Reads one run of an automation, also after the deletion of the automation. Reads stay open on every plan. */
export const getAutomationRun = useCase(
  { name: "automation.getRun", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* ({ id, runId }: { readonly id: AutomationId; readonly runId: AutomationRunId }) {
    const run = yield* runOf(id, runId)
    const [shown = run] = yield* toAutomationRunViews([run])
    return yield* withCallOutputs(shown)
  })
)

/** Cancels a live run; `null` if it has ended. */
const cancelLiveRun = Effect.fnUntraced(function* (runId: AutomationRunId) {
  const kept = yield* (yield* AutomationRuns).find(runId)
  if (kept === null || isRunOver(kept.run.state)) return null
  const { run } = stepAutomationRun(kept.run, { _tag: "Cancelled", now: yield* DateTime.now })
  yield* saveRuns([{ ...kept, run }])
  return { before: kept.run, run }
})

/** Cancels a live run. An action in progress ends first, or is rolled back. */
export const cancelAutomationRun = useCase(
  {
    name: "automation.cancelRun",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "nothing",
    audit: "automation.run_cancelled",
    emits: ["automation.run_cancelled"]
  },
  Effect.fnUntraced(function* ({ id, runId }: { readonly id: AutomationId; readonly runId: AutomationRunId }) {
    yield* runOf(id, runId)
    const cancelled = yield* retryOnRunConflict(cancelLiveRun(runId))
    if (cancelled === null) return yield* new RunEnded()
    const { before, run } = cancelled
    // The next runs of the contact have waited for this one.
    if (run.contactId !== null) yield* scheduleRunLanes([laneOf(run.contactId)])
    yield* recordAudit(
      "automation.run_cancelled",
      { kind: "automation_run", id: runId },
      { before: { state: before.state }, after: { state: run.state } }
    )
    return run
  }, transact)
)

/** Fails for an unknown automation, and for a deleted one without runs. */
const requireKnown = Effect.fnUntraced(function* (id: AutomationId) {
  const found = yield* Effect.result((yield* Automations).get(id))
  if (found._tag === "Success") return
  const [run] = yield* (yield* AutomationRuns).list(id, anyAutomationRun, { limit: 1, after: null })
  if (run === undefined) return yield* found.failure
})

/** Lists the runs of an automation by event position, newest first, also after its deletion. Reads stay open on every plan. */
export const listAutomationRuns = useCase(
  { name: "automation.listRuns", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    ...selection
  }: { readonly id: AutomationId; readonly page: PageRequest } & Partial<AutomationRunFilter>) {
    yield* requireKnown(id)
    const filter = { ...anyAutomationRun, ...selection }
    const runs = yield* AutomationRuns
    const { data, nextCursor } = yield* paged(
      `automation_runs_by_event/${id}`,
      page,
      (slice) => runs.list(id, filter, slice),
      ({ event: { position }, id: runId }) => [String(position), runId]
    )
    return { data: yield* toAutomationRunViews(data), nextCursor }
  })
)

/** Merges the saved definition with the draft. Only a draft is validated, as for a save. */
const resolveTestDefinition = Effect.fnUntraced(function* (id: AutomationId, { draft }: AutomationTest) {
  const saved = definitionOf(yield* (yield* Automations).get(id))
  const definition: AutomationDefinition = { ...saved, ...draft }
  yield* requireReach(yield* needsOfAutomations([definition]))
  if (draft !== undefined) yield* checkDefinition(definition, false, "/draft")
  const { when } = definition
  if (when !== null) return { ...definition, when }
  const errors = [{ pointer: "/draft/when", message: "Expected the event that starts it" }]
  return yield* new ValidationFailed({ errors })
})

/** Event of a test: a logged one, or the next occurrence of a schedule or a date. */
const testSource = Effect.fnUntraced(function* (id: AutomationId, when: Trigger, { due, position }: AutomationTest) {
  if (position !== undefined && due === undefined) return yield* sourceAt(position, when)
  if (due !== undefined && position === undefined) return yield* dueSource(id, when, due)
  return yield* invalid("", "Expected exactly one of: position, due")
})

/** An audience names fields of contacts only. */
const noGroups: ReadonlySet<FactGroup> = new Set<FactGroup>()

/** Whether the contact is in the audience of a schedule. */
const isInAudience = Effect.fnUntraced(function* (when: Trigger, facts: Facts) {
  for (const audience of audienceOf(when)) {
    if (!(yield* evaluateCondition(audience, noGroups, facts)).held) return false
  }
  return true
})

/** Previews an automation for a past event with the current data. Nothing is performed. */
export const testAutomation = useCase(
  {
    name: "automation.test",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation"
  },
  Effect.fnUntraced(function* ({ id, ...test }: { readonly id: AutomationId } & AutomationTest) {
    const definition = yield* resolveTestDefinition(id, test)
    yield* checkAnswers(definition.then, test.answers)
    const source = yield* testSource(id, definition.when, test)
    const dueAt = test.due === undefined ? null : source.at
    const contactId = yield* currentContact(source)
    const deletedResources = yield* findDeletedResources(source)
    const factsNow = factsForEvent(source, contactId, referencedSchedules([definition.if], definition.then))
    const facts = contactId === null ? null : yield* factsNow
    if (contactId === null || facts === null) {
      const nobody: AutomationTestResult = {
        wouldRun: false,
        dueAt,
        abortReason: "contact_gone",
        deletedResources,
        conditions: null,
        actions: []
      }
      return nobody
    }
    const conditions = yield* evaluateConditions(definition, facts)
    const by = { kind: "automation", id } as const
    const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
    const begun = (yield* (yield* AutomationRuns).begunSince(contactId, since)).get(id) ?? 0
    const causation = yield* startCausation(source)
    const aborted = abortReason(causation, by) ?? (conditions.held && begun >= maxRunsPerHour ? "rate" : null)
    const isStarted =
      isTriggerSource(definition.when, source) &&
      !isBulkEvent(source.event) &&
      isAddressedTo(source.event, id) &&
      (dueAt === null || (yield* isInAudience(definition.when, facts)))
    const isReachable = (yield* eligibleContacts([contactId])).has(contactId)
    const cause = { ...by, runId: yield* nextId(AutomationRunId), step: "0", visit: 1 }
    const stillThere = Effect.filterOrFail(factsNow, Predicate.isNotNull, () => new NotFound({ resource: "contact" }))
    const actions = yield* tryActions(definition.then, cause, stillThere, test.answers).pipe(
      Effect.provideService(CurrentCausation, causedBy(causation, by, source.position))
    )
    const result: AutomationTestResult = {
      dueAt,
      wouldRun: isStarted && isReachable && aborted === null && conditions.held,
      abortReason: aborted,
      deletedResources,
      conditions,
      actions
    }
    return result
  })
)
