import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { ContactConversations, type ConversationId, type MessageAuthor } from "@parley/domain/messaging"
import { AwayReplies, ScheduleId, WeeklySchedule, WeeklySchedules } from "@parley/domain/automation"
import { type DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenContact, inNewOrganization, morning } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, givenMessage, minutes } from "../../messaging/inbox/given.ts"

const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

const givenSchedule = Effect.gen(function* () {
  const schedule = new WeeklySchedule({
    id: freshId(ScheduleId),
    name: "Never",
    timezone: null,
    weekly: closed,
    holidays: [],
    createdAt: morning,
    updatedAt: morning,
    version: 1
  })
  yield* transact((yield* WeeklySchedules).insert(schedule))
  return schedule.id
})

const put = (conversationId: ConversationId, scheduleId: ScheduleId, at: DateTime.Utc) =>
  Effect.flatMap(AwayReplies, (port) => transact(port.put(conversationId, scheduleId, at)))

const outbound = (author: MessageAuthor, at: DateTime.Utc) => ({
  direction: "outbound" as const,
  status: "sent" as const,
  author,
  at
})

export const awayReplies: StorageContract = {
  port: "AwayReplies",
  promises: (it) => {
    it.effect("knows the last away reply to a contact per schedule, over all conversations", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* AwayReplies
          const [one, other] = [yield* givenSchedule, yield* givenSchedule]
          const { id: contactId } = yield* givenContact()
          const [first, second] = [yield* givenConversation({ contactId }), yield* givenConversation({ contactId })]
          const stranger = yield* givenConversation()
          yield* put(stranger.id, one, minutes(9))
          assert.isNull(yield* port.last(contactId, one))
          yield* put(first.id, one, minutes(1))
          yield* put(second.id, one, minutes(2))
          yield* put(second.id, other, minutes(3))
          assert.deepStrictEqual(yield* port.last(contactId, one), minutes(2))
          yield* put(first.id, one, minutes(4))
          assert.deepStrictEqual(yield* port.last(contactId, one), minutes(4))
          assert.deepStrictEqual(yield* port.last(contactId, other), minutes(3))
          yield* transact((yield* WeeklySchedules).remove(one, null))
          assert.isNull(yield* port.last(contactId, one))
          yield* transact((yield* ContactConversations).forget([contactId]))
          assert.isNull(yield* port.last(contactId, other))
        })
      )
    )

    it.effect("knows whether a person has written to the contact since", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* AwayReplies
          const { id: contactId } = yield* givenContact()
          const conversation = yield* givenConversation({ contactId })
          const stranger = yield* givenConversation()
          yield* givenMessage(conversation, { at: minutes(9) })
          yield* givenMessage(conversation, outbound({ kind: "automation", id: "away" }, minutes(9)))
          yield* givenMessage(stranger, outbound({ kind: "user", id: freshId(UserId) }, minutes(9)))
          assert.isFalse(yield* port.hasWritten(contactId, morning))
          yield* givenMessage(conversation, outbound({ kind: "user", id: freshId(UserId) }, minutes(5)))
          assert.isTrue(yield* port.hasWritten(contactId, minutes(4)))
          assert.isFalse(yield* port.hasWritten(contactId, minutes(5)))
          const elsewhere = yield* givenConversation({ contactId })
          yield* givenMessage(elsewhere, outbound({ kind: "phone_app", id: "phone" }, minutes(6)))
          assert.isTrue(yield* port.hasWritten(contactId, minutes(5)))
        })
      )
    )

    it.effect("knows nothing of another organization", () =>
      Effect.gen(function* () {
        const port = yield* AwayReplies
        const { contactId, scheduleId } = yield* inNewOrganization(
          Effect.gen(function* () {
            const scheduleId = yield* givenSchedule
            const conversation = yield* givenConversation()
            yield* put(conversation.id, scheduleId, morning)
            yield* givenMessage(conversation, outbound({ kind: "user", id: freshId(UserId) }, minutes(5)))
            return { contactId: conversation.contactId, scheduleId }
          })
        )
        yield* inNewOrganization(
          Effect.gen(function* () {
            assert.isNull(yield* port.last(contactId, scheduleId))
            assert.isFalse(yield* port.hasWritten(contactId, morning))
          })
        )
      })
    )
  }
}

/** Checks an adapter against the contract of `AwayReplies`. */
export const awayRepliesContract = runContract(awayReplies)
