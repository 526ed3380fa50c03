import { DateTime, Effect, Equal } from "effect"
import {
  Locks,
  nextId,
  paged,
  type PageRequest,
  requireReach,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { withinLimit } from "../../../platform/entitlements/index.ts"
import {
  toAutomationAuditFields,
  Automation,
  type AutomationPatch,
  definitionOf,
  emptyDefinition,
  type NewAutomation
} from "../Automation.ts"
import { AutomationId } from "../AutomationId.ts"
import { Automations, lockReferences } from "../Automations.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import { checkDefinition, toAutomationView, toAutomationViews } from "../checks/definitionChecks.ts"
import { appendEvent } from "../events.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { countCancelled } from "../runs/savedRuns.ts"

/** Creates a disabled automation in the last position. */
export const createAutomation = useCase(
  {
    name: "automation.create",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automation.created",
    emits: ["automation.created"]
  },
  Effect.fnUntraced(function* (input: NewAutomation) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const now = yield* DateTime.now
    const automation = new Automation({
      ...emptyDefinition,
      ...input,
      id: yield* nextId(AutomationId),
      enabled: false,
      disabledReason: null,
      position: (yield* automations.count()) + 1,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* lockReferences(definitionOf(automation))
    yield* requireReach(yield* needsOfAutomations([definitionOf(automation)]))
    yield* checkDefinition(definitionOf(automation), false)
    yield* automations.insert(automation).pipe(withinLimit("automations"))
    yield* recordAudit(
      "automation.created",
      { kind: "automation", id: automation.id },
      { after: toAutomationAuditFields(automation) }
    )
    yield* appendEvent({ type: "automation.created", automationId: automation.id })
    return yield* toAutomationView(automation)
  }, transact)
)

/** Changes an automation. Live runs continue with their version. */
export const updateAutomation = useCase(
  {
    name: "automation.update",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automation.updated",
    emits: ["automation.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: AutomationId; readonly ifVersion: number | null } & AutomationPatch) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const before = yield* automations.get(id)
    yield* requireVersion(before, ifVersion)
    const position = Math.min(patch.position ?? before.position, yield* automations.count())
    const draft = new Automation({ ...before, ...patch, position })
    const isRedefined = !Equal.equals(definitionOf(draft), definitionOf(before))
    // A change of name or position does not affect the required permissions.
    if (isRedefined) {
      yield* requireReach(yield* needsOfAutomations([definitionOf(draft)]))
      yield* lockReferences(definitionOf(draft))
      yield* checkDefinition(definitionOf(draft), draft.enabled)
    }
    if (Equal.equals(toAutomationAuditFields(draft), toAutomationAuditFields(before)))
      return yield* toAutomationView(before)
    yield* automations.move(before.position, position)
    const after = yield* automations.save(new Automation({ ...draft, updatedAt: yield* DateTime.now }), ifVersion)
    yield* recordAudit(
      "automation.updated",
      { kind: "automation", id },
      { before: toAutomationAuditFields(before), after: toAutomationAuditFields(after) }
    )
    yield* appendEvent({ type: "automation.updated", automationId: id })
    return yield* toAutomationView(after)
  }, transact)
)

/** Deletes an automation and ends its live runs, which stay readable. Later automations move up. */
export const deleteAutomation = useCase(
  {
    name: "automation.delete",
    access: { permission: "automations.manage" },
    feature: "automations",
    ungatedFor: "operators",
    actsThrough: "nothing",
    audit: "automation.deleted",
    emits: ["automation.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: AutomationId; readonly ifVersion: number | null }) {
    const automations = yield* Automations
    yield* (yield* Locks).exclusive("automations")
    const before = yield* automations.get(id)
    yield* requireVersion(before, ifVersion)
    yield* automations.move(before.position, yield* automations.count())
    yield* automations.remove(id, ifVersion)
    const cancelledRuns = yield* (yield* AutomationRuns).cancel(id, yield* DateTime.now)
    yield* countCancelled(cancelledRuns)
    yield* recordAudit(
      "automation.deleted",
      { kind: "automation", id },
      { before: toAutomationAuditFields(before), after: { cancelledRuns } }
    )
    yield* appendEvent({ type: "automation.deleted", automationId: id, cancelledRuns })
  }, transact)
)

/** Reads one automation. Reads stay open on every plan. */
export const getAutomation = useCase(
  { name: "automation.get", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: AutomationId }) {
    return yield* toAutomationView(yield* (yield* Automations).get(id))
  })
)

export const listAutomations = useCase(
  { name: "automation.list", access: { permission: "automations.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const automations = yield* Automations
    const { data, nextCursor } = yield* paged(
      "automations",
      page,
      (slice) => automations.list(slice),
      (automation) => [automation.id]
    )
    return { data: yield* toAutomationViews(data), nextCursor }
  })
)
