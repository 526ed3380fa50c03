import { type AutomationClock, AutomationClocks } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { type AutomationClockRow, rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const nameOf = ({ automationId, subjectId }: Pick<AutomationClock, "automationId" | "subjectId">) =>
  `${automationId} ${subjectId}`

const clocksOf = ({ automationClocks }: Tenant): ReadonlyArray<AutomationClock> =>
  HashMap.toValues(automationClocks).flatMap(({ dueAt, ...row }) => (dueAt === null ? [] : [{ ...row, dueAt }]))

const byTime = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }: AutomationClock) => dueAt),
  Order.mapInput(Order.String, nameOf)
)

const put = (tenant: Tenant, rows: ReadonlyArray<AutomationClockRow>) => ({
  automationClocks: rows.reduce((clocks, row) => HashMap.set(clocks, nameOf(row), row), tenant.automationClocks)
})

const without = (tenant: Tenant, rows: ReadonlyArray<Pick<AutomationClock, "automationId" | "subjectId">>) => ({
  automationClocks: rows.reduce((clocks, row) => HashMap.remove(clocks, nameOf(row)), tenant.automationClocks)
})

const isAsRead = (tenant: Tenant, clock: AutomationClock) => {
  const row = rowAt(tenant.automationClocks, nameOf(clock))
  return (
    row !== null &&
    row.position === clock.position &&
    row.dueAt !== null &&
    DateTime.toEpochMillis(row.dueAt) === DateTime.toEpochMillis(clock.dueAt)
  )
}

export const layer = Layer.effect(
  AutomationClocks,
  Effect.map(Store, (store) =>
    AutomationClocks.of({
      set: (clocks) =>
        store.writeTenant((tenant) => [
          undefined,
          put(
            tenant,
            clocks.filter((clock) => rowAt(tenant.automationClocks, nameOf(clock))?.dueAt !== null)
          )
        ]),
      stop: (subjectId, automationIds) =>
        store.writeTenant((tenant) => [
          undefined,
          without(
            tenant,
            clocksOf(tenant).filter(
              (clock) => clock.subjectId === subjectId && automationIds.includes(clock.automationId)
            )
          )
        ]),
      due: (now, limit) =>
        store.readTenant((tenant) =>
          clocksOf(tenant)
            .filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
            .toSorted(byTime)
            .slice(0, limit)
        ),
      nextDue: () =>
        store.readTenant((tenant) => {
          const [first, ...others] = clocksOf(tenant).map(({ dueAt }) => dueAt)
          return first === undefined ? null : others.reduce(DateTime.min, first)
        }),
      strike: (clocks, forGood) =>
        store.writeTenant((tenant) => {
          const struck = clocks.filter((clock) => isAsRead(tenant, clock))
          return [
            struck,
            forGood
              ? put(
                  tenant,
                  struck.map((clock) => ({ ...clock, dueAt: null }))
                )
              : without(tenant, struck)
          ]
        }),
      sweep: (before, limit) =>
        store.writeTenant((tenant) => {
          const gone = HashMap.toValues(tenant.automationClocks)
            .filter(({ dueAt, since }) => dueAt === null && DateTime.isLessThan(since, before))
            .slice(0, limit)
          return [gone.length, without(tenant, gone)]
        })
    })
  )
)
