import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  anyAutomationRun,
  Automation,
  AutomationId,
  AutomationRun,
  type AutomationRunFilter,
  AutomationRunId,
  AutomationRuns,
  type StoredAutomationRun,
  type RunAction,
  emptyDefinition
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { freshId } from "../../given.ts"

export const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

export const lane = 3

export const action = (overrides: Partial<RunAction> = {}): RunAction => ({
  index: 0,
  type: "tag",
  state: "pending",
  error: null,
  effect: null,
  attempts: 0,
  until: null,
  ...overrides
})

export const newRun = (overrides: Partial<AutomationRun> = {}) =>
  new AutomationRun({
    id: freshId(AutomationRunId),
    automationId: freshId(AutomationId),
    automationVersion: 2,
    state: "queued",
    reason: null,
    event: { position: 7, type: "order.paid" },
    contactId: freshId(ContactId),
    causation: null,
    conditions: null,
    actions: [],
    rerunOf: null,
    createdAt: at(0),
    startedAt: null,
    finishedAt: null,
    ...overrides
  })

export const started = Effect.fnUntraced(function* (overrides: Partial<AutomationRun> = {}, ordinal = 1) {
  const run = newRun(overrides)
  yield* transact((yield* AutomationRuns).start([{ run, ordinal, lane }]))
  return run
})

export const read = Effect.fnUntraced(function* ({ id }: AutomationRun) {
  return (yield* (yield* AutomationRuns).find(id)) ?? (yield* Effect.die(new Error("There is no such run.")))
})

export const changed = Effect.fnUntraced(function* (run: AutomationRun, input: Partial<AutomationRun>) {
  const kept = yield* read(run)
  const after: StoredAutomationRun = { ...kept, run: new AutomationRun({ ...kept.run, ...input }) }
  return yield* transact((yield* AutomationRuns).save([after]))
})

export const nextIds = Effect.fnUntraced(function* (minutes: number, limit = 10) {
  const found = yield* (yield* AutomationRuns).next(lane, at(minutes), limit)
  return found.map(({ run }) => run.id)
})

export const plainRun = (run: AutomationRun) => ({ ...run })

export const allRuns: AutomationRunFilter = anyAutomationRun

export const anAutomation = () =>
  new Automation({
    ...emptyDefinition,
    id: freshId(AutomationId),
    name: "Refund",
    enabled: true,
    disabledReason: null,
    position: 1,
    createdAt: at(0),
    updatedAt: at(0),
    version: 1
  })
