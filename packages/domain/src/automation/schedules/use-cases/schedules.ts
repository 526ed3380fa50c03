import { DateTime, Effect, Equal } from "effect"
import {
  Dependents,
  maxTimestamp,
  Locks,
  nextId,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import {
  toScheduleAuditFields,
  holidaysOf,
  type NewSchedule,
  ScheduleId,
  type SchedulePatch,
  WeeklySchedule,
  WeeklySchedules,
  weekOf,
  zoneOf
} from "../WeeklySchedule.ts"
import { ScheduleInUse } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { statusAt } from "../openingHours.ts"

export const createSchedule = useCase(
  {
    name: "schedules.create",
    access: { permission: "organization.manage" },
    audit: "schedule.created",
    emits: ["schedule.created"]
  },
  Effect.fnUntraced(function* ({ holidays = [], name, timezone = null, weekly }: NewSchedule) {
    const now = yield* DateTime.now
    const schedule = new WeeklySchedule({
      id: yield* nextId(ScheduleId),
      name,
      timezone,
      weekly: weekOf(weekly),
      holidays: holidaysOf(holidays),
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* WeeklySchedules).insert(schedule)
    yield* recordAudit(
      "schedule.created",
      { kind: "schedule", id: schedule.id },
      { after: toScheduleAuditFields(schedule) }
    )
    yield* appendEvent({ type: "schedule.created", scheduleId: schedule.id })
    return schedule
  }, transact)
)

export const updateSchedule = useCase(
  {
    name: "schedules.update",
    access: { permission: "organization.manage" },
    audit: "schedule.updated",
    emits: ["schedule.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: ScheduleId; readonly ifVersion: number | null } & SchedulePatch) {
    const schedules = yield* WeeklySchedules
    yield* (yield* Locks).exclusive("schedules")
    const before = yield* schedules.get(id)
    yield* requireVersion(before, ifVersion)
    const { name = before.name, timezone = before.timezone } = patch
    const draft = new WeeklySchedule({
      ...before,
      name,
      timezone,
      weekly: patch.weekly === undefined ? before.weekly : weekOf(patch.weekly),
      holidays: patch.holidays === undefined ? before.holidays : holidaysOf(patch.holidays)
    })
    if (Equal.equals(toScheduleAuditFields(draft), toScheduleAuditFields(before))) return before
    const after = yield* schedules.save(new WeeklySchedule({ ...draft, updatedAt: yield* DateTime.now }), ifVersion)
    yield* recordAudit(
      "schedule.updated",
      { kind: "schedule", id },
      { before: toScheduleAuditFields(before), after: toScheduleAuditFields(after) }
    )
    yield* appendEvent({ type: "schedule.updated", scheduleId: id })
    return after
  }, transact)
)

/** Deletes an unused schedule. */
export const deleteSchedule = useCase(
  {
    name: "schedules.delete",
    access: { permission: "organization.manage" },
    audit: "schedule.deleted",
    emits: ["schedule.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: ScheduleId; readonly ifVersion: number | null }) {
    const schedules = yield* WeeklySchedules
    yield* (yield* Locks).exclusive("schedules")
    const before = yield* schedules.get(id)
    const usedBy = yield* (yield* Dependents).find("schedule", id)
    if (usedBy.length > 0) return yield* new ScheduleInUse({ usedBy })
    yield* schedules.remove(id, ifVersion)
    yield* recordAudit("schedule.deleted", { kind: "schedule", id }, { before: toScheduleAuditFields(before) })
    yield* appendEvent({ type: "schedule.deleted", scheduleId: id })
  }, transact)
)

export const getSchedule = useCase(
  { name: "schedules.get", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: ScheduleId }) {
    return yield* (yield* WeeklySchedules).get(id)
  })
)

export const listSchedules = useCase(
  { name: "schedules.list", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* ({ page }: { readonly page: PageRequest }) {
    const schedules = yield* WeeklySchedules
    return yield* paged(
      "schedules",
      page,
      (slice) => schedules.list(slice),
      (schedule) => [schedule.id]
    )
  })
)

/** Reads whether a schedule is open at a time, and when that changes. Default: now. */
export const getScheduleStatus = useCase(
  { name: "schedules.status", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* ({ id, at = null }: { readonly id: ScheduleId; readonly at?: DateTime.Utc | null }) {
    const schedule = yield* (yield* WeeklySchedules).get(id)
    const status = statusAt(schedule, yield* zoneOf(schedule), at ?? (yield* DateTime.now))
    const { nextChangeAt } = status
    // A change after the maximum timestamp counts as never.
    return nextChangeAt !== null && DateTime.isGreaterThan(nextChangeAt, maxTimestamp)
      ? { ...status, nextChangeAt: null }
      : status
  })
)
