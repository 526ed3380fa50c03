import { type TriggerTimer, TriggerTimers } from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { TriggerTimerRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const nameOf = ({ ownerId, subjectId }: Pick<TriggerTimer, "ownerId" | "subjectId">) => `${ownerId} ${subjectId}`

const clocksOf = ({ triggerTimers }: Tenant): ReadonlyArray<TriggerTimer> =>
  HashMap.toValues(triggerTimers).flatMap(({ dueAt, ...row }) => (dueAt === null ? [] : [{ ...row, dueAt }]))

const byTime = Order.combine(
  Order.mapInput(DateTime.Order, ({ dueAt }: TriggerTimer) => dueAt),
  Order.mapInput(Order.String, nameOf)
)

const put = (tenant: Tenant, rows: ReadonlyArray<TriggerTimerRow>) => ({
  triggerTimers: rows.reduce((clocks, row) => HashMap.set(clocks, nameOf(row), row), tenant.triggerTimers)
})

const without = (tenant: Tenant, rows: ReadonlyArray<Pick<TriggerTimer, "ownerId" | "subjectId">>) => ({
  triggerTimers: rows.reduce((clocks, row) => HashMap.remove(clocks, nameOf(row)), tenant.triggerTimers)
})

const isAsRead = (tenant: Tenant, clock: TriggerTimer) => {
  const row = rowAt(tenant.triggerTimers, nameOf(clock))
  return (
    row !== null &&
    row.position === clock.position &&
    row.dueAt !== null &&
    DateTime.toEpochMillis(row.dueAt) === DateTime.toEpochMillis(clock.dueAt)
  )
}

export const layer = Layer.effect(
  TriggerTimers,
  Effect.map(Store, (store) =>
    TriggerTimers.of({
      set: (clocks) =>
        store.writeTenant((tenant) => [
          undefined,
          put(
            tenant,
            clocks.filter((clock) => rowAt(tenant.triggerTimers, nameOf(clock))?.dueAt !== null)
          )
        ]),
      stop: (subjectId, ownerIds) =>
        store.writeTenant((tenant) => [
          undefined,
          without(
            tenant,
            clocksOf(tenant).filter((clock) => clock.subjectId === subjectId && ownerIds.includes(clock.ownerId))
          )
        ]),
      due: (kind, now, limit) =>
        store.readTenant((tenant) =>
          clocksOf(tenant)
            .filter((clock) => clock.kind === kind && DateTime.isLessThanOrEqualTo(clock.dueAt, now))
            .toSorted(byTime)
            .slice(0, limit)
        ),
      nextDue: (kind) =>
        store.readTenant((tenant) => {
          const [first, ...others] = clocksOf(tenant)
            .filter((clock) => clock.kind === kind)
            .map(({ dueAt }) => dueAt)
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
          const gone = HashMap.toValues(tenant.triggerTimers)
            .filter(({ dueAt, since }) => dueAt === null && DateTime.isLessThan(since, before))
            .slice(0, limit)
          return [gone.length, without(tenant, gone)]
        })
    })
  )
)
