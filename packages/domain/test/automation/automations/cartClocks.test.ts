import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { createTag, type TagId } from "@parley/domain/crm"
import { StoreCarts } from "@parley/domain/commerce"
import { disableAutomation, enableAutomation, updateAutomation } from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenCommerce,
  givenContact,
  givenConversation,
  givenEvent,
  givenMessage,
  givenOrganization,
  givenReceived,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, strikeAndSettle } from "./engine.ts"

const givenTag = (organization: Organization) =>
  Effect.map(createTag({ name: "idle" }).pipe(asOwnerOf(organization)), ({ id }) => id)

const onIdle = (tagId: TagId, lastFrom?: "contact" | "team") => ({
  when: { event: "conversation.idle" as const, seconds: 3_600, ...(lastFrom !== undefined && { lastFrom }) },
  then: [{ type: "tag" as const, tagIds: [tagId] }]
})

layer(TestKit.layer)("clocks of automations, of conversations that are answered and of carts,", (it) => {
  it.effect("do not fire after a later message of the other side, nor for disabled or re-enabled automations", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const ofContact = yield* enabled(organization, onIdle(tagId, "contact"))
      const disabled = yield* enabled(organization, onIdle(tagId))
      const conversation = yield* givenConversation(organization)
      yield* givenReceived(organization, conversation)
      yield* strikeAndSettle(organization)
      yield* disableAutomation({ id: disabled.id, ifVersion: null }).pipe(asOwnerOf(organization))
      const { chatAccountId, contactId, id: conversationId } = conversation
      const { id: messageId } = yield* givenMessage(organization, conversation, { direction: "outbound" })
      yield* givenEvent(organization, {
        type: "message.echoed",
        conversationId,
        messageId,
        contactId,
        chatAccountId,
        kind: "text"
      })
      yield* strikeAndSettle(organization)
      yield* enableAutomation({ id: disabled.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* TestClock.adjust("2 hours")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, ofContact), 0)
      assert.lengthOf(yield* runsOf(organization, disabled), 0)
    })
  )

  it.effect("count from the last activity in a cart, and fire once for each", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const automation = yield* enabled(organization, {
        when: { event: "cart.abandoned", seconds: 7_200 },
        then: [{ type: "tag", tagIds: [tagId] }]
      })
      const contact = yield* givenContact(organization)
      const { cart } = yield* givenCommerce(organization, contact.id)
      const { id: cartId, storeConnectionId } = cart
      const put = (input: Partial<typeof cart>) =>
        Effect.flatMap(StoreCarts, (carts) => transact(carts.put([{ ...cart, ...input }]))).pipe(
          asOperatorOf(organization)
        )
      const abandon = Effect.gen(function* () {
        yield* put({ state: "abandoned", abandonedAt: yield* DateTime.now })
        return yield* givenEvent(organization, {
          type: "cart.abandoned",
          cartId,
          storeConnectionId,
          contactId: contact.id
        })
      })
      yield* TestClock.adjust("30 minutes")
      const position = yield* abandon
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("89 minutes")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* TestClock.adjust("1 minute")
      yield* strikeAndSettle(organization)
      const [run, ...others] = yield* runsOf(organization, automation)
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(
        [run?.state, run?.event, run?.contactId],
        ["succeeded", { position, type: "cart.abandoned" }, contact.id]
      )
      yield* TestClock.adjust("30 minutes")
      yield* abandon
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("4 hours")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("go by the stores and the time that the automation says now", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const then = [{ type: "tag" as const, tagIds: [tagId] }]
      const when = { event: "cart.abandoned" as const, seconds: 7_200 }
      const longer = yield* enabled(organization, { when, then })
      const elsewhere = yield* enabled(organization, { when, then })
      const contact = yield* givenContact(organization)
      const { cart } = yield* givenCommerce(organization, contact.id)
      const { cart: other } = yield* givenCommerce(organization, (yield* givenContact(organization)).id)
      const { id: cartId, storeConnectionId } = cart
      const abandoned = { ...cart, state: "abandoned" as const, abandonedAt: yield* DateTime.now }
      yield* Effect.flatMap(StoreCarts, (carts) => transact(carts.put([abandoned]))).pipe(asOperatorOf(organization))
      yield* givenEvent(organization, { type: "cart.abandoned", cartId, storeConnectionId, contactId: contact.id })
      yield* strikeAndSettle(organization)
      const narrowed = { ...when, storeConnectionIds: [other.storeConnectionId] }
      yield* updateAutomation({ id: elsewhere.id, when: narrowed, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* updateAutomation({ id: longer.id, when: { ...when, seconds: 10_800 }, ifVersion: null }).pipe(
        asOwnerOf(organization)
      )
      yield* TestClock.adjust("2 hours")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, longer), 0)
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, longer), 1)
      assert.lengthOf(yield* runsOf(organization, elsewhere), 0)
    })
  )

  it.effect("start nothing for an ordered or reactivated cart until it is abandoned again", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const automation = yield* enabled(organization, {
        when: { event: "cart.abandoned", seconds: 7_200 },
        then: [{ type: "tag", tagIds: [tagId] }]
      })
      const contact = yield* givenContact(organization)
      const { cart } = yield* givenCommerce(organization, contact.id)
      const { id: cartId, storeConnectionId } = cart
      const put = (input: Partial<typeof cart>) =>
        Effect.flatMap(StoreCarts, (carts) => transact(carts.put([{ ...cart, ...input }]))).pipe(
          asOperatorOf(organization)
        )
      const abandonedAt = yield* DateTime.now
      yield* put({ state: "abandoned", abandonedAt })
      yield* givenEvent(organization, { type: "cart.abandoned", cartId, storeConnectionId, contactId: contact.id })
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("1 hour")
      const touched = { ...cart.record, updatedAt: yield* DateTime.now }
      yield* put({ state: "active", abandonedAt: null, record: touched })
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* put({ state: "completed", closedAt: yield* DateTime.now, record: touched })
      yield* TestClock.adjust("2 hours")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
    })
  )
})
