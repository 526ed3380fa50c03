import { NotFound, VersionConflict } from "@parley/domain/kernel"
import { type ScheduleId, WeeklySchedule, WeeklySchedules } from "@parley/domain/automation"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const stored = (
  { schedules }: Tenant,
  id: ScheduleId,
  expected: number | null
): WeeklySchedule | Refused<NotFound | VersionConflict> => {
  const schedule = rowAt(schedules, id)
  if (schedule === null) return refuse(new NotFound({ resource: "schedule" }))
  if (expected !== null && schedule.version !== expected) {
    return refuse(new VersionConflict({ current: schedule.version }))
  }
  return schedule
}

export const layer = Layer.effect(
  WeeklySchedules,
  Effect.map(Store, (store) =>
    WeeklySchedules.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ schedules }) => rowAt(schedules, id)),
          (schedule) => schedule !== null,
          () => new NotFound({ resource: "schedule" })
        ),
      find: (ids) => store.readTenant(({ schedules }) => ids.flatMap((id) => rowAt(schedules, id) ?? [])),
      list: (slice) =>
        store.readTenant(({ schedules }) => descending(HashMap.values(schedules), ({ id }) => id, slice)),
      insert: (schedule) =>
        store.writeTenant(({ schedules }) => [undefined, { schedules: HashMap.set(schedules, schedule.id, schedule) }]),
      save: (schedule, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, schedule.id, expected)
          if (before instanceof Refused) return before
          const after = new WeeklySchedule({ ...schedule, createdAt: before.createdAt, version: before.version + 1 })
          return [after, { schedules: HashMap.set(tenant.schedules, after.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          if (before instanceof Refused) return before
          return [
            undefined,
            {
              schedules: HashMap.remove(tenant.schedules, id),
              awayReplies: tenant.awayReplies.filter(({ scheduleId }) => scheduleId !== id)
            }
          ]
        })
    })
  )
)
