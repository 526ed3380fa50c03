import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { ScheduleId, WeeklySchedule } from "./WeeklySchedule.ts"

/** The schedules of the organization. */
export class WeeklySchedules extends Context.Service<
  WeeklySchedules,
  TenantScoped<{
    readonly get: (id: ScheduleId) => Effect.Effect<WeeklySchedule, NotFound>
    /** Those of them that there are, in no order. */
    readonly find: (ids: ReadonlyArray<ScheduleId>) => Effect.Effect<ReadonlyArray<WeeklySchedule>>
    /** Newest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<WeeklySchedule>>
    readonly insert: (schedule: WeeklySchedule) => Effect.Effect<void, never, Transaction>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      schedule: WeeklySchedule,
      expected: number | null
    ) => Effect.Effect<WeeklySchedule, NotFound | VersionConflict, Transaction>
    readonly remove: (
      id: ScheduleId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/schedules/WeeklySchedules") {}
