import { assert, layer } from "@effect/vitest"
import { ContactId, createContactField } from "@parley/domain/crm"
import { type NewAutomation, testAutomation, type Trigger } from "@parley/domain/automation"
import { asOwnerOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled } from "./engine.ts"

const at = (time: string) => DateTime.makeUnsafe(time)

const then: NewAutomation["then"] = [{ type: "set_name", name: "Ada" }]

const onSchedule: Trigger = {
  event: "schedule.reached",
  cron: "30 8 * * 1",
  timezone: "Europe/Berlin",
  audience: { field: "name", op: "is", value: "Ada" }
}

const onBirthday = (repeats: "once" | "yearly", offsetDays = 0): Trigger => ({
  event: "contact.date_reached",
  field: "birthday",
  localTime: "09:00",
  offsetDays,
  repeats
})

/** A Wednesday. */
const given = Effect.fnUntraced(function* (when: Trigger) {
  yield* TestClock.setTime(DateTime.toEpochMillis(at("2030-06-12T00:00:00Z")))
  const organization = yield* givenOrganization({ plan: "scale", timezone: "UTC" })
  yield* createContactField({ key: "birthday", name: "Birthday", type: "date" }).pipe(asOwnerOf(organization))
  const { id } = yield* enabled(organization, { when, then })
  const test = (contactId: ContactId, from?: string) =>
    testAutomation({ id, due: { contactId, ...(from !== undefined && { from: at(from) }) } }).pipe(
      asOwnerOf(organization)
    )
  return { organization, id, test }
})

layer(TestKit.layer)("a test of an automation that was never due", (it) => {
  it.effect("uses the next occurrence of the schedule, from now or from a chosen time", () =>
    Effect.gen(function* () {
      const { organization, test } = yield* given(onSchedule)
      const { id } = yield* givenContact(organization, { name: "Ada" })
      const next = yield* test(id)
      assert.deepInclude(next, { wouldRun: true, dueAt: at("2030-06-17T06:30:00Z"), abortReason: null })
      assert.lengthOf(next.actions, 1)
      const times = [
        ["2030-06-17T06:30:00Z", "2030-06-17T06:30:00Z"],
        ["2030-06-17T06:30:00.001Z", "2030-06-24T06:30:00Z"],
        ["2031-01-01T00:00:00Z", "2031-01-06T07:30:00Z"]
      ] as const
      for (const [from, dueAt] of times) assert.deepStrictEqual((yield* test(id, from)).dueAt, at(dueAt))
    })
  )

  it.effect("would not run for a contact outside of the audience", () =>
    Effect.gen(function* () {
      const { organization, test } = yield* given(onSchedule)
      const { id } = yield* givenContact(organization, { name: "Bea" })
      assert.isFalse((yield* test(id)).wouldRun)
    })
  )

  it.effect("uses the next date of the contact", () =>
    Effect.gen(function* () {
      const { organization, test } = yield* given(onBirthday("yearly"))
      const born = (birthday: string) => givenContact(organization, { attributes: { birthday } })
      const ada = yield* born("1992-02-29")
      assert.deepInclude(yield* test(ada.id), { wouldRun: true, dueAt: at("2031-02-28T09:00:00Z") })
      assert.deepStrictEqual((yield* test(ada.id, "2031-02-28T09:00:01Z")).dueAt, at("2032-02-29T09:00:00Z"))
      const today = yield* born("1990-06-12")
      assert.deepStrictEqual((yield* test(today.id)).dueAt, at("2030-06-12T09:00:00Z"))
      const unborn = yield* born("2035-06-12")
      assert.deepStrictEqual((yield* test(unborn.id)).dueAt, at("2035-06-12T09:00:00Z"))
    })
  )

  it.effect("reports why no occurrence exists", () =>
    Effect.gen(function* () {
      const { organization, test } = yield* given(onBirthday("once"))
      const past = yield* givenContact(organization, { attributes: { birthday: "2030-06-11" } })
      const future = yield* givenContact(organization, { attributes: { birthday: "2030-06-13" } })
      const none = yield* givenContact(organization)
      assert.deepStrictEqual((yield* test(future.id)).dueAt, at("2030-06-13T09:00:00Z"))
      const message = "Expected a contact whose date is reached after this time"
      for (const { id } of [past, none]) {
        assert.deepInclude(yield* Effect.flip(test(id)), { errors: [{ pointer: "/due/contactId", message }] })
      }
      const unknown = yield* Effect.flip(test(ContactId.make("01934b92-3e4f-7a51-8c6d-7e8f90123456")))
      assert.deepInclude(unknown, {
        errors: [{ pointer: "/due/contactId", message: "There is no contact with this id" }]
      })
    })
  )

  it.effect("refuses a time whose next occurrence is after the year 9999", () =>
    Effect.gen(function* () {
      const message = "Expected a time whose next occurrence is before the year 10000"
      const refused = { errors: [{ pointer: "/due/from", message }] }
      const scheduled = yield* given(onSchedule)
      const ada = yield* givenContact(scheduled.organization, { name: "Ada" })
      const last = at("9999-12-27T07:30:00Z")
      assert.deepStrictEqual((yield* scheduled.test(ada.id, "9999-12-27T07:30:00Z")).dueAt, last)
      for (const from of ["9999-12-27T07:30:00.001Z", "9999-12-31T23:59:59.999Z"]) {
        assert.deepInclude(yield* Effect.flip(scheduled.test(ada.id, from)), refused)
      }
      const late = yield* given(onBirthday("once", 5))
      const bea = yield* givenContact(late.organization, { attributes: { birthday: "9999-12-31" } })
      assert.deepInclude(yield* Effect.flip(late.test(bea.id)), refused)
      const yearly = yield* given(onBirthday("yearly"))
      const eve = yield* givenContact(yearly.organization, { attributes: { birthday: "1992-02-29" } })
      assert.deepInclude(yield* Effect.flip(yearly.test(eve.id, "9999-12-31T23:59:59.999Z")), {
        errors: [{ pointer: "/due/contactId", message: "Expected a contact whose date is reached after this time" }]
      })
    })
  )

  it.effect("needs a schedule or a date, and either an event or a contact", () =>
    Effect.gen(function* () {
      const { id, organization, test } = yield* given({ event: "contact.created" })
      const contact = yield* givenContact(organization)
      assert.deepInclude(yield* Effect.flip(test(contact.id)), {
        errors: [{ pointer: "/due", message: "Expected an automation that starts on a schedule or on a date" }]
      })
      for (const both of [{}, { position: 1, due: { contactId: contact.id } }]) {
        assert.deepInclude(yield* Effect.flip(testAutomation({ id, ...both }).pipe(asOwnerOf(organization))), {
          errors: [{ pointer: "", message: "Expected exactly one of: position, due" }]
        })
      }
    })
  )
})
