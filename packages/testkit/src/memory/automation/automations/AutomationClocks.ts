import { type AutomationClock, AutomationClocks } from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const byTime = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }: AutomationClock) => dueAt),
  Order.mapInput(Order.String, ({ automationId }: AutomationClock) => automationId)
)

const first = ({ automationClocks }: Tenant): AutomationClock | null =>
  HashMap.toValues(automationClocks).toSorted(byTime)[0] ?? null

const isAsRead = (stored: AutomationClock | null, { after, dueAt }: AutomationClock): boolean =>
  stored !== null && stored.after === after && DateTime.toEpochMillis(stored.dueAt) === DateTime.toEpochMillis(dueAt)

const put = ({ automationClocks }: Tenant, clock: AutomationClock) => ({
  automationClocks: HashMap.set(automationClocks, clock.automationId, clock)
})

export const layer = Layer.effect(
  AutomationClocks,
  Effect.map(Store, (store) =>
    AutomationClocks.of({
      find: (id) => store.readTenant(({ automationClocks }) => rowAt(automationClocks, id)),
      due: (now) =>
        store.readTenant((tenant) => {
          const clock = first(tenant)
          return clock !== null && DateTime.isLessThanOrEqualTo(clock.dueAt, now) ? clock : null
        }),
      nextDue: () => store.readTenant((tenant) => first(tenant)?.dueAt ?? null),
      set: (clock) => store.writeTenant((tenant) => [undefined, put(tenant, clock)]),
      advance: (from, { after, dueAt }) =>
        store.writeTenant((tenant) => {
          const { automationId } = from
          const isSame = isAsRead(rowAt(tenant.automationClocks, automationId), from)
          return [isSame, isSame ? put(tenant, { automationId, dueAt, after }) : {}]
        }),
      remove: (id) =>
        store.writeTenant(({ automationClocks }) => [
          undefined,
          { automationClocks: HashMap.remove(automationClocks, id) }
        ])
    })
  )
)
