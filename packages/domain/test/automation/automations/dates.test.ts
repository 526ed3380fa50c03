import { assert, layer } from "@effect/vitest"
import { EventLog, type Organization, updateOrganization } from "@parley/domain/platform"
import { type Contact, createContactField, type NewContact, updateContact } from "@parley/domain/crm"
import {
  AutomationClocks,
  type AutomationId,
  disableAutomation,
  strikeClocks,
  type Trigger,
  updateAutomation,
  updateAutomationSettings
} from "@parley/domain/automation"
import { transact } from "@parley/domain/kernel"
import { asOperatorOf, asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

type DateTrigger = Extract<Trigger, { readonly event: "contact.date_reached" }>

const onBirthday = (fields: Partial<DateTrigger> = {}) => ({
  when: {
    event: "contact.date_reached",
    field: "birthday",
    localTime: "09:00",
    repeats: "yearly",
    ...fields
  } as const,
  then: [{ type: "set_name", name: "Ada" }] as const
})

/** An organization in UTC with a field for birthdays, on this day. */
const givenOn = Effect.fnUntraced(function* (day: string, timezone = "UTC") {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(`${day}T00:00:00Z`)))
  const organization = yield* givenOrganization({ plan: "scale", timezone })
  yield* createContactField({ key: "birthday", name: "Birthday", type: "date" }).pipe(asOwnerOf(organization))
  return organization
})

const born = (organization: Organization, birthday: string, fields: Pick<NewContact, "timezone"> = {}) =>
  givenContact(organization, { attributes: { birthday }, ...fields })

/** Moves the clock to this time, and runs what is due. */
const reach = Effect.fnUntraced(function* (organization: Organization, time: string) {
  yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(`${time}:00Z`)))
  yield* Effect.andThen(strikeClocks, settle(organization))
})

const startsOf = (organization: Organization, automation: { readonly id: AutomationId }) =>
  Effect.map(runsOf(organization, automation), (runs) => runs.map(({ contactId }) => contactId).toSorted())

const change = (organization: Organization, { id }: Contact, birthday: string) =>
  updateContact({ id, attributes: { birthday }, ifVersion: null }).pipe(asOwnerOf(organization))

const clockOf = (organization: Organization, { id }: { readonly id: AutomationId }) =>
  Effect.flatMap(AutomationClocks, (clocks) => clocks.find(id)).pipe(asOperatorOf(organization))

layer(TestKit.layer)("automations on a date of the contact", (it) => {
  it.effect("start each year at the local time, for the contacts of the day", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2030-06-14")
      const ada = yield* born(organization, "1990-06-15")
      yield* born(organization, "1990-06-16")
      yield* born(organization, "2031-06-15")
      const blocked = yield* born(organization, "1990-06-15")
      yield* updateContact({ id: blocked.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      const automation = yield* enabled(organization, onBirthday())
      yield* reach(organization, "2030-06-15T08:59")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [])
      yield* reach(organization, "2030-06-15T09:00")
      yield* reach(organization, "2030-06-15T09:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [ada.id])
      const [event] = yield* Effect.flatMap(EventLog, (log) =>
        log.list(["automation.due"], { limit: 10, after: null })
      ).pipe(asOperatorOf(organization))
      assert.deepInclude(event?.event, {
        contactId: ada.id,
        dueAt: "2030-06-15T09:00:00.000Z",
        date: "2030-06-15"
      })
    })
  )

  it.effect("start on 28 February of a common year for 29 February", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2031-02-27")
      const leap = yield* born(organization, "1992-02-29")
      const automation = yield* enabled(organization, onBirthday())
      yield* reach(organization, "2031-02-28T09:00")
      yield* reach(organization, "2031-03-01T09:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [leap.id])
    })
  )

  it.effect("start before the date with a negative offset, once without repetition", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2032-05-01")
      const renewal = yield* born(organization, "2032-05-10")
      yield* born(organization, "2031-05-10")
      const automation = yield* enabled(organization, onBirthday({ offsetDays: -7, repeats: "once" }))
      yield* reach(organization, "2032-05-03T09:00")
      yield* reach(organization, "2032-05-10T09:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [renewal.id])
    })
  )

  it.effect("follow a changed date, and start at most once per date and contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2033-06-14")
      const ada = yield* born(organization, "1990-06-15")
      const automation = yield* enabled(organization, onBirthday())
      yield* reach(organization, "2033-06-14T12:00")
      yield* change(organization, ada, "1990-06-16")
      yield* reach(organization, "2033-06-15T09:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [])
      yield* reach(organization, "2033-06-16T09:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [ada.id])
      yield* change(organization, ada, "1991-06-16")
      const { when } = onBirthday({ localTime: "18:00" })
      yield* updateAutomation({ id: automation.id, when, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* reach(organization, "2033-06-16T18:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [ada.id])
    })
  )

  it.effect("start at the local time of each contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2034-06-14", "Europe/Berlin")
      const east = yield* born(organization, "1990-06-15", { timezone: "Pacific/Kiritimati" })
      const home = yield* born(organization, "1990-06-15")
      const west = yield* born(organization, "1990-06-15", { timezone: "America/New_York" })
      const automation = yield* enabled(organization, onBirthday({ zone: "contact" }))
      yield* reach(organization, "2034-06-14T18:59")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [])
      yield* reach(organization, "2034-06-14T19:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [east.id])
      yield* reach(organization, "2034-06-15T07:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [east.id, home.id].toSorted())
      const moved = { id: home.id, timezone: "America/New_York", ifVersion: null }
      yield* updateContact(moved).pipe(asOwnerOf(organization))
      yield* reach(organization, "2034-06-15T13:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [east.id, home.id, west.id].toSorted())
      yield* reach(organization, "2034-06-16T13:00")
      assert.lengthOf(yield* startsOf(organization, automation), 3)
    })
  )

  it.effect("process many contacts in batches and continue after the last processed contact", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2035-06-14")
      const contacts = yield* Effect.forEach(Array.from({ length: 405 }), () => born(organization, "1990-06-15"))
      const automation = yield* enabled(organization, onBirthday())
      yield* reach(organization, "2035-06-14T12:00")
      const clock = yield* clockOf(organization, automation)
      assert.isNotNull(clock)
      const clocks = yield* AutomationClocks
      const after = contacts.map(({ id }) => id).toSorted()[99] ?? null
      yield* transact(clocks.advance(clock, { ...clock, after })).pipe(asOperatorOf(organization))
      yield* reach(organization, "2035-06-15T09:00")
      const due = yield* Effect.flatMap(EventLog, (log) =>
        log.list(["automation.due"], { limit: 1_000, after: null })
      ).pipe(asOperatorOf(organization))
      assert.lengthOf(due, 305)
    })
  )

  it.effect("start up to a day late, and nothing while automations are paused", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2036-06-10")
      const [early, late, paused] = [
        yield* born(organization, "1990-06-11"),
        yield* born(organization, "1990-06-13"),
        yield* born(organization, "1990-06-14")
      ]
      const automation = yield* enabled(organization, onBirthday())
      yield* reach(organization, "2036-06-14T08:00")
      assert.deepStrictEqual(yield* startsOf(organization, automation), [late.id])
      const pause = (isPaused: boolean) =>
        updateAutomationSettings({ paused: isPaused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      yield* reach(organization, "2036-06-14T09:00")
      yield* pause(false)
      yield* reach(organization, "2036-06-14T10:00")
      const started = yield* startsOf(organization, automation)
      assert.notInclude(started, paused.id)
      assert.notInclude(started, early.id)
    })
  )

  it.effect("follow the time zone of the organization, and have a clock while they are enabled", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2037-06-14")
      const { id } = yield* enabled(organization, onBirthday())
      yield* updateOrganization({ timezone: "Asia/Kolkata", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      const clock = yield* clockOf(organization, { id })
      assert.strictEqual(clock === null ? null : DateTime.formatIso(clock.dueAt), "2037-06-14T03:30:00.000Z")
      yield* disableAutomation({ id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.isNull(yield* clockOf(organization, { id }))
    })
  )

  it.effect("need a contact field of the type date", () =>
    Effect.gen(function* () {
      const organization = yield* givenOn("2038-06-14")
      yield* createContactField({ key: "city", name: "City", type: "text" }).pipe(asOwnerOf(organization))
      for (const field of ["city", "anniversary"]) {
        const refused = yield* Effect.flip(enabled(organization, onBirthday({ field })))
        assert.deepStrictEqual(
          refused._tag === "ValidationFailed" ? refused.errors.map(({ pointer }) => pointer) : refused._tag,
          ["/when/field"]
        )
      }
    })
  )
})
