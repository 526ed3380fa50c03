import { assert, layer } from "@effect/vitest"
import { EventLog, type Organization, updateOrganization } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import {
  AutomationClocks,
  type AutomationId,
  type NewAutomation,
  deleteAutomation,
  disableAutomation,
  strikeClocks,
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain/automation"
import { transact } from "@parley/domain/kernel"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

/** Every day at this time in UTC, for contacts with this name. */
const daily = (cron = "0 9 * * *") =>
  ({
    when: {
      event: "schedule.reached",
      cron,
      timezone: "UTC",
      audience: { field: "name", op: "starts_with", value: "Ada" }
    },
    then: [{ type: "set_name", name: "Ada" }]
  }) as const satisfies Omit<NewAutomation, "name">

/** Moves the clock to this hour of a later day, and runs what is due. */
const reach = Effect.fnUntraced(function* (organization: Organization, days: number, hour: number) {
  const start = DateTime.startOf(yield* DateTime.now, "day")
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(start, { days, hours: hour })))
  yield* Effect.andThen(strikeClocks, settle(organization))
})

/** Fields of a cron expression for the day this many days from now. */
const dayAndMonth = (days: number) =>
  Effect.map(DateTime.now, (now) => {
    const { day, month } = DateTime.toParts(DateTime.add(now, { days }))
    return `${day} ${month}`
  })

const startsOf = (organization: Organization, automation: { readonly id: AutomationId }) =>
  Effect.map(runsOf(organization, automation), (runs) =>
    runs.map(({ contactId, event, state }) => [contactId, event.type, state])
  )

const dueEvents = (organization: Organization) =>
  Effect.flatMap(EventLog, (log) => log.list(["automation.due"], { limit: 1_000, after: null })).pipe(
    asOperatorOf(organization)
  )

const clockOf = (organization: Organization, { id }: { readonly id: AutomationId }) =>
  Effect.flatMap(AutomationClocks, (clocks) => clocks.find(id)).pipe(asOperatorOf(organization))

layer(TestKit.layer)("scheduled automations", (it) => {
  it.effect("start once per occurrence for each contact of the audience", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const ada = yield* givenContact(organization)
      const blocked = yield* givenContact(organization)
      yield* updateContact({ id: blocked.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* givenContact(organization, { name: "Grace" })
      yield* reach(organization, 1, 0)
      const automation = yield* enabled(organization, daily())
      yield* reach(organization, 0, 8)
      assert.deepStrictEqual(yield* startsOf(organization, automation), [])
      yield* reach(organization, 0, 9)
      yield* reach(organization, 0, 10)
      const first = [ada.id, "automation.due", "succeeded"]
      assert.deepStrictEqual(yield* startsOf(organization, automation), [first])
      const late = yield* givenContact(organization)
      yield* reach(organization, 0, 11)
      assert.deepStrictEqual(yield* startsOf(organization, automation), [first])
      yield* reach(organization, 1, 9)
      assert.sameDeepMembers(yield* startsOf(organization, automation), [
        first,
        first,
        [late.id, "automation.due", "succeeded"]
      ])
    })
  )

  it.effect("process large audiences in batches and continue after the last processed contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const contacts = yield* Effect.forEach(Array.from({ length: 205 }), () => givenContact(organization))
      yield* reach(organization, 1, 0)
      const automation = yield* enabled(organization, daily())
      const clocks = yield* AutomationClocks
      const clock = yield* clockOf(organization, automation)
      assert.isNotNull(clock)
      const after = contacts[99]?.id ?? null
      yield* transact(clocks.advance(clock, { ...clock, after })).pipe(asOperatorOf(organization))
      yield* reach(organization, 0, 9)
      const due = yield* dueEvents(organization)
      assert.lengthOf(due, 105)
      yield* reach(organization, 1, 9)
      assert.lengthOf(yield* dueEvents(organization), 310)
    })
  )

  it.effect("run the last missed occurrence only, at most a day late", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* givenContact(organization)
      const hourly = yield* enabled(organization, daily("0 * * * *"))
      const yearly = yield* enabled(organization, daily(`0 9 ${yield* dayAndMonth(1)} *`))
      yield* reach(organization, 3, 12)
      assert.lengthOf(yield* startsOf(organization, hourly), 1)
      assert.lengthOf(yield* startsOf(organization, yearly), 0)
      const clock = yield* clockOf(organization, hourly)
      assert.strictEqual(clock?.after, null)
      assert.strictEqual(clock === null ? null : DateTime.toParts(clock.dueAt).hour, 13)
    })
  )

  it.effect("skip occurrences during a pause", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* givenContact(organization)
      const automation = yield* enabled(organization, daily())
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      yield* reach(organization, 1, 9)
      yield* pause(false)
      yield* reach(organization, 0, 10)
      assert.lengthOf(yield* dueEvents(organization), 0)
      yield* reach(organization, 1, 9)
      assert.lengthOf(yield* startsOf(organization, automation), 1)
    })
  )

  it.effect("have a clock while they are enabled, also after changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      yield* reach(organization, 1, 0)
      const { id } = yield* enabled(organization, daily())
      const before = yield* clockOf(organization, { id })
      assert.isNotNull(before)
      yield* updateAutomation({ id, name: "Other", ifVersion: null }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(yield* clockOf(organization, { id }), before)
      yield* updateAutomation({ id, when: daily("30 9 * * *").when, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(yield* clockOf(organization, { id }), {
        ...before,
        dueAt: DateTime.add(before.dueAt, { minutes: 30 })
      })
      yield* disableAutomation({ id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.isNull(yield* clockOf(organization, { id }))
      yield* deleteAutomation({ id, ifVersion: null }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("follow the time zone of the organization", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale", timezone: "UTC" })
      yield* givenContact(organization)
      const { timezone: _, ...when } = daily().when
      const automation = yield* enabled(organization, { ...daily(), when })
      yield* reach(organization, 1, 0)
      yield* updateOrganization({ timezone: "Asia/Kolkata", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      const clock = yield* clockOf(organization, automation)
      assert.deepStrictEqual(
        clock === null ? null : DateTime.toParts(clock.dueAt),
        DateTime.toParts(DateTime.add(DateTime.startOf(yield* DateTime.now, "day"), { hours: 3, minutes: 30 }))
      )
    })
  )
})
