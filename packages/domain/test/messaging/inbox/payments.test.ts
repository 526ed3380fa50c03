import { assert, describe } from "@effect/vitest"
import type { ReportedPayment } from "@parley/domain/messaging"
import type { Organization } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsIn, givenQueued, readMessage, test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"
import { givenNumber, incoming, payment, receipt, tell } from "./whatsAppStage.ts"

const minutes = (count: number) => DateTime.add(storyEnd, { minutes: count })

const paid: ReportedPayment = {
  status: "captured",
  referenceId: "order-0042",
  amount: { value: 21_000, offset: 100 },
  currency: "INR",
  transaction: { id: "order_86IFzTPYe", type: "razorpay", status: "success" }
}

const pending = { ...paid, status: "pending", transaction: null }

const givenOrder = Effect.gen(function* () {
  const { account, organization } = yield* givenNumber
  yield* tell(organization, incoming(account))
  const [conversation = assert.fail()] = (yield* readStage(organization)).conversations
  const queued = yield* givenQueued(organization, conversation)
  yield* tell(organization, receipt(account, { id: "wamid.order", reference: queued.id, status: "sent" }))
  yield* TestClock.adjust("1 hour")
  return { account, organization, conversation, queued }
})

/** Events that an effect appends. */
const eventsOf = Effect.fnUntraced(function* <E, R>(organization: Organization, effect: Effect.Effect<void, E, R>) {
  const before = (yield* eventsIn(organization)).length
  yield* effect
  return (yield* eventsIn(organization)).slice(before)
})

describe("a payment of an order", () => {
  test("is stored with the message of the order, and reported once", () =>
    Effect.gen(function* () {
      const { account, conversation, organization, queued } = yield* givenOrder
      const tellPaid = tell(organization, payment(account, { id: "wamid.order", at: minutes(5), payment: paid }))
      yield* tell(organization, payment(account, { id: "wamid.order", at: minutes(4), payment: pending }))
      const events = yield* eventsOf(organization, Effect.andThen(tellPaid, tellPaid))
      assert.deepStrictEqual(events, [
        { type: "message.updated", conversationId: conversation.id, messageId: queued.id, fields: ["details"] }
      ])
      const { details, status } = yield* readMessage(organization, queued)
      assert.strictEqual(status, "sent")
      assert.deepStrictEqual(details, { payment: { ...paid, at: DateTime.formatIso(minutes(5)) } })
    }))

  test("has its latest status in every sequence of reports", () =>
    Effect.gen(function* () {
      const reports = [
        { at: minutes(1), payment: pending },
        { at: minutes(2), payment: { ...paid, status: "failed" } },
        { at: minutes(3), payment: pending },
        { at: minutes(3), payment: paid }
      ]
      for (const sequence of [reports, reports.toReversed()]) {
        const { account, organization, queued } = yield* givenOrder
        for (const report of sequence) yield* tell(organization, payment(account, { id: "wamid.order", ...report }))
        const { details } = yield* readMessage(organization, queued)
        assert.deepStrictEqual(details?.payment, { ...paid, at: DateTime.formatIso(minutes(3)) })
      }
    }))

  test("of no message of a conversation is a notice of the number", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const told = tell(organization, payment(account, { id: "wamid.else", payment: paid }))
      const events = yield* eventsOf(organization, told)
      assert.deepStrictEqual(events, [
        {
          type: "chat_account.notice",
          chatAccountId: account.id,
          topic: "payment",
          event: "captured",
          detail: "order-0042"
        }
      ])
    }))
})
