import { assert, layer } from "@effect/vitest"
import { eventAppender, transact } from "@parley/domain/kernel"
import { updateOrganization } from "@parley/domain/platform"
import {
  createSchedule,
  type ScheduleEvent,
  startWorkflowRun,
  updateSchedule,
  type WaitNode,
  WeeklySchedules,
  type WeekInput
} from "@parley/domain/automation"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, settle } from "./engine.ts"

/** Monday. */
const monday = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

const goTo = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))

/** A run that waits for a schedule of the organization, which opens on Thursday. */
const started = Effect.fnUntraced(function* (overrides: Partial<WaitNode> = {}) {
  yield* TestClock.setTime(DateTime.toEpochMillis(monday))
  const organization = yield* givenOrganization({ plan: "scale", timezone: "UTC" })
  const weekly = { thu: [["10:00", "12:00"]] } satisfies WeekInput
  const { id: scheduleId } = yield* createSchedule({ name: "Shop", weekly }).pipe(asOwnerOf(organization))
  const workflow = yield* published(organization, {
    entry: { event: null, next: id("wait") },
    nodes: [{ id: id("wait"), kind: "wait", scheduleId, next: end.id, ...overrides }, end]
  })
  const contact = yield* givenContact(organization)
  const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  return {
    organization,
    scheduleId,
    settled: settle(organization),
    opens: (changed: WeekInput) =>
      Effect.andThen(
        updateSchedule({ id: scheduleId, weekly: changed, ifVersion: null }).pipe(asOwnerOf(organization)),
        settle(organization)
      ),
    seen: Effect.map(explained(organization, workflow, run), ({ state, wakeAt }) => [
      state,
      wakeAt === null ? null : DateTime.formatIso(wakeAt)
    ])
  }
})

layer(TestKit.layer)("a workflow run that waits for a schedule", (it) => {
  it.effect("moves its wake time when the schedule changes, and continues when the schedule is open", () =>
    Effect.gen(function* () {
      const { opens, seen } = yield* started()
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-05T10:00:00.000Z"])
      yield* opens({ tue: [["08:00", "12:00"]] })
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-03T08:00:00.000Z"])
      yield* opens({ fri: [["08:00", "12:00"]] })
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-06T08:00:00.000Z"])
      yield* opens({ mon: [["08:00", "12:00"]] })
      assert.deepStrictEqual(yield* seen, ["completed", null])
    })
  )

  it.effect("does not continue before the other parts of its wait have ended", () =>
    Effect.gen(function* () {
      const { opens, seen, settled } = yield* started({ seconds: 86_400, until: { localTime: "15:00" } })
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-05T10:00:00.000Z"])
      yield* goTo("2026-03-02T20:00:00Z")
      yield* opens({ mon: [["00:00", "24:00"]], tue: [["00:00", "24:00"]] })
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-03T15:00:00.000Z"])
      yield* goTo("2026-03-03T15:00:00Z")
      yield* settled
      assert.deepStrictEqual(yield* seen, ["completed", null])
    })
  )

  it.effect("follows the time zone of the organization, and ends with a deleted schedule", () =>
    Effect.gen(function* () {
      const { organization, scheduleId, seen, settled } = yield* started()
      yield* updateOrganization({ timezone: "Asia/Tokyo", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settled
      assert.deepStrictEqual(yield* seen, ["waiting", "2026-03-05T01:00:00.000Z"])
      yield* transact(
        Effect.andThen(
          Effect.flatMap(WeeklySchedules, (schedules) => schedules.remove(scheduleId, null)),
          eventAppender<ScheduleEvent>()({ type: "schedule.deleted", scheduleId })
        )
      ).pipe(asOwnerOf(organization))
      yield* settled
      assert.deepStrictEqual(yield* seen, ["completed", null])
    })
  )

  it.effect("is not moved by the change of another schedule", () =>
    Effect.gen(function* () {
      const { organization, seen, settled } = yield* started()
      const before = yield* seen
      const other = yield* createSchedule({ name: "Depot", weekly: {} }).pipe(asOwnerOf(organization))
      const weekly = { mon: [["08:00", "12:00"]] } satisfies WeekInput
      yield* updateSchedule({ id: other.id, weekly, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settled
      assert.deepStrictEqual(yield* seen, before)
    })
  )
})
