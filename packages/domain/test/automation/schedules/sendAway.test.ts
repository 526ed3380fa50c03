import { assert, describe, it, layer } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import type { Conversation, MessageId } from "@parley/domain/messaging"
import {
  closedSince,
  createSchedule,
  sendAwayReply,
  type ScheduleId,
  updateSchedule,
  type Week
} from "@parley/domain/automation"
import {
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMessage,
  givenOrganization,
  type Of,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"

const at = (time: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(time))

// 2026-11-23 is a Monday.
const evening = "2026-11-23T20:00:00Z"

const officeHours = { mon: [["09:00", "18:00"]], tue: [["09:00", "18:00"]] }

const given = Effect.fnUntraced(function* (time: string = evening) {
  yield* TestClock.setTime(at(time))
  const organization = yield* givenOrganization({ timezone: "UTC" })
  const schedule = yield* createSchedule({ name: "Office", weekly: officeHours }).pipe(asOperatorOf(organization))
  const contact = yield* givenContact(organization)
  const conversation = yield* givenConversation(organization, { contactId: contact.id })
  return { organization, scheduleId: schedule.id, contact, conversation }
})

const tell = (
  organization: Of,
  scheduleId: ScheduleId,
  { id: conversationId }: Conversation,
  { id: messageId }: { readonly id: MessageId }
) =>
  transact(
    sendAwayReply({ scheduleId, received: { conversationId, messageId } }, Effect.succeed("sent by the caller"))
  ).pipe(asOperatorOf(organization))

const outcomeOf = (...args: Parameters<typeof tell>) =>
  Effect.map(tell(...args), (outcome) => (outcome.kind === "sent" ? outcome.sent : outcome.because))

const person = { direction: "outbound", status: "sent" } as const

const someone = UserId.make("01990000-0000-7000-8000-000000000001")

layer(TestKit.layer)("away replies", (it) => {
  it.effect("is done while it is closed, and once for each time that it is closed", () =>
    Effect.gen(function* () {
      const { contact, conversation, organization, scheduleId } = yield* given()
      const write = () => givenMessage(organization, conversation)
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, yield* write()), "sent by the caller")
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, yield* write()), "told_already")
      const elsewhere = yield* givenConversation(organization, { contactId: contact.id })
      const there = yield* givenMessage(organization, elsewhere)
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, elsewhere, there), "told_already")
      const stranger = yield* givenConversation(organization)
      const theirs = yield* givenMessage(organization, stranger)
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, stranger, theirs), "sent by the caller")
      yield* TestClock.setTime(at("2026-11-24T12:00:00Z"))
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, yield* write()), "open")
      yield* TestClock.setTime(at("2026-11-24T18:00:00Z"))
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, yield* write()), "sent by the caller")
    })
  )

  it.effect("are not sent while a member is available, nor for old messages or reactions", () =>
    Effect.gen(function* () {
      const { contact, conversation, organization, scheduleId } = yield* given()
      const answer = yield* givenConversation(organization, { contactId: contact.id })
      yield* givenMessage(organization, answer, { ...person, author: { kind: "user", id: someone } })
      const write = (overrides: Parameters<typeof givenMessage>[2] = {}) =>
        givenMessage(organization, conversation, overrides)
      yield* TestClock.adjust("29 minutes")
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, yield* write()), "member_wrote")
      yield* TestClock.adjust("1 minute")
      const reaction = yield* write({ kind: "reaction", text: "👍" })
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, reaction), "reaction")
      const now = yield* DateTime.now
      const old = yield* write({ at: DateTime.subtract(now, { minutes: 5, milliseconds: 1 }) })
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, old), "too_old")
      const fresh = yield* write({ at: DateTime.subtract(now, { minutes: 5 }) })
      assert.strictEqual(yield* outcomeOf(organization, scheduleId, conversation, fresh), "sent by the caller")
    })
  )

  it.effect("counts for nothing where it could not be sent", () =>
    Effect.gen(function* () {
      const { conversation, organization, scheduleId } = yield* given()
      const { id: messageId } = yield* givenMessage(organization, conversation)
      const received = { conversationId: conversation.id, messageId }
      const refused = yield* transact(
        Effect.flip(sendAwayReply({ scheduleId, received }, Effect.fail("refused" as const)))
      ).pipe(asOperatorOf(organization))
      assert.strictEqual(refused, "refused")
      assert.strictEqual(
        yield* outcomeOf(organization, scheduleId, conversation, { id: messageId }),
        "sent by the caller"
      )
    })
  )

  it.effect("follow each schedule separately, and are sent once for a schedule that never opens", () =>
    Effect.gen(function* () {
      const { conversation, organization, scheduleId } = yield* given()
      const never = yield* createSchedule({ name: "Never", weekly: {} }).pipe(asOperatorOf(organization))
      const message = yield* givenMessage(organization, conversation)
      for (const id of [scheduleId, never.id]) {
        assert.strictEqual(yield* outcomeOf(organization, id, conversation, message), "sent by the caller")
        assert.strictEqual(yield* outcomeOf(organization, id, conversation, message), "told_already")
      }
      yield* TestClock.setTime(at("2027-12-31T20:00:00Z"))
      const later = yield* givenMessage(organization, conversation)
      assert.strictEqual(yield* outcomeOf(organization, never.id, conversation, later), "told_already")
      yield* updateSchedule({ id: never.id, weekly: { fri: [["08:00", "09:00"]] }, ifVersion: null }).pipe(
        asOperatorOf(organization)
      )
      assert.strictEqual(yield* outcomeOf(organization, never.id, conversation, later), "sent by the caller")
    })
  )
})

describe("since when it is closed", () => {
  const never: Week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
  const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
  const since = (weekly: Partial<Week>, time: string, holidays: Parameters<typeof closedSince>[0]["holidays"] = []) => {
    const found = closedSince({ weekly: { ...never, ...weekly }, holidays }, zone, DateTime.makeUnsafe(time))
    return found === null ? null : DateTime.formatIso(found).slice(0, 16)
  }

  it("is the end of the last hours before", () => {
    const hours = {
      mon: [
        ["09:00", "12:00"],
        ["13:00", "18:00"]
      ],
      fri: [["20:00", "24:00"]]
    }
    assert.strictEqual(since(hours, "2026-11-23T11:30:00Z"), "2026-11-23T11:00")
    assert.strictEqual(since(hours, "2026-11-23T17:00:00Z"), "2026-11-23T17:00")
    assert.strictEqual(since(hours, "2026-11-23T07:00:00Z"), "2026-11-20T23:00")
    assert.strictEqual(since({ mon: [["09:00", "18:00"]] }, "2026-11-29T07:00:00Z"), "2026-11-23T17:00")
  })

  it("goes by the hours of holidays, and is nothing where it was not open for more than a year", () => {
    const holiday = { date: "2026-11-23", yearly: false, name: "Closed", spans: [] }
    assert.strictEqual(since({ mon: [["09:00", "18:00"]] }, "2026-11-24T07:00:00Z", [holiday]), "2026-11-16T17:00")
    assert.isNull(since({}, "2026-11-24T07:00:00Z"))
  })
})
