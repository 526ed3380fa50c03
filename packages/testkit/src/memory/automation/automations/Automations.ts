import { NotFound, VersionConflict } from "@parley/domain/kernel"
import {
  Automation,
  type AutomationId,
  Automations,
  definitionOf,
  referencesInDefinition,
  toReferenceKey
} from "@parley/domain/automation"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const stored = (
  { automations }: Tenant,
  id: AutomationId,
  expected: number | null
): Automation | Refused<NotFound | VersionConflict> => {
  const automation = rowAt(automations, id)
  if (automation === null) return refuse(new NotFound({ resource: "automation" }))
  if (expected !== null && automation.version !== expected) {
    return refuse(new VersionConflict({ current: automation.version }))
  }
  return automation
}

/** Returns the rows with this automation, plus a new version if its definition changed. */
const put = ({ automations, automationVersions }: Tenant, automation: Automation) => {
  const kept = rowAt(automationVersions, automation.id) ?? []
  const definition = definitionOf(automation)
  const isSame = JSON.stringify(kept.at(-1)?.definition) === JSON.stringify(definition)
  return {
    automations: HashMap.set(automations, automation.id, automation),
    automationVersions: isSame
      ? automationVersions
      : HashMap.set(automationVersions, automation.id, [...kept, { version: automation.version, definition }])
  }
}

const byPlace = (one: Automation, other: Automation) => one.position - other.position || (one.id < other.id ? -1 : 1)

const placeAfter = (from: number, to: number, position: number): number => {
  if (position === from) return to
  if (position < Math.min(from, to) || position > Math.max(from, to)) return position
  return from < to ? position - 1 : position + 1
}

export const layer = Layer.effect(
  Automations,
  Effect.map(Store, (store) =>
    Automations.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ automations }) => rowAt(automations, id)),
          (automation) => automation !== null,
          () => new NotFound({ resource: "automation" })
        ),
      list: (slice) =>
        store.readTenant(({ automations }) => descending(HashMap.values(automations), ({ id }) => id, slice)),
      count: () => store.readTenant(({ automations }) => HashMap.size(automations)),
      enabledOn: (event) =>
        store.readTenant(({ automations }) =>
          HashMap.toValues(automations)
            .filter(({ enabled, when }) => enabled && when?.event === event)
            .toSorted(byPlace)
            .flatMap(({ enabledAfter, id, position, then, version, when }) =>
              when === null
                ? []
                : [{ id, position, version, enabledAfter, when, actions: then.map(({ type }) => type) }]
            )
        ),
      definition: (id, version) =>
        store.readTenant(
          ({ automationVersions }) =>
            (rowAt(automationVersions, id) ?? []).findLast((kept) => kept.version <= version)?.definition ?? null
        ),
      naming: (field, id) =>
        store.readTenant(({ automations }) =>
          HashMap.toValues(automations)
            .filter((automation) =>
              referencesInDefinition(definitionOf(automation)).includes(toReferenceKey(field, id))
            )
            .map((automation) => automation.id)
            .toSorted()
            .slice(0, 10)
        ),
      insert: (automation) => store.writeTenant((tenant) => [undefined, put(tenant, automation)]),
      save: (automation, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, automation.id, expected)
          if (before instanceof Refused) return before
          const { createdAt, position, version } = before
          const after = new Automation({ ...automation, createdAt, position, version: version + 1 })
          return [after, put(tenant, after)]
        }),
      move: (from, to) =>
        store.writeTenant(({ automations }) => [
          undefined,
          {
            automations: HashMap.map(
              automations,
              (automation) => new Automation({ ...automation, position: placeAfter(from, to, automation.position) })
            )
          }
        ]),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [
                undefined,
                {
                  automations: HashMap.remove(tenant.automations, id),
                  automationVersions: HashMap.remove(tenant.automationVersions, id),
                  triggerUrls: HashMap.remove(tenant.triggerUrls, id)
                }
              ]
        })
    })
  )
)
