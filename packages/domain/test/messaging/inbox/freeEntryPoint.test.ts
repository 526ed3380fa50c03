import { assert, describe } from "@effect/vitest"
import { getConversation } from "@parley/domain/messaging"
import { asOperatorOf } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenQueued, readMessage, test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { readStage } from "./telling.ts"
import { givenNumber, receipt, incoming, tell } from "./whatsAppStage.ts"

const hours = (count: number) => DateTime.add(storyEnd, { hours: count })

const free = { billable: false, model: "PMP", category: "referral_conversion", type: "free_entry_point" }

describe("a message from an advertisement", () => {
  test("opens the window for 24 hours, and the reply starts the free entry point", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* tell(organization, incoming(account, { fromAdvertisement: true }))
      const [conversation = assert.fail()] = (yield* readStage(organization)).conversations
      const view = Effect.map(
        getConversation({ id: conversation.id }),
        ({ freeEntryPoint, window }) => [window.open, window.expiresAt, freeEntryPoint] as const
      ).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(yield* view, [true, hours(24), null])

      const queued = yield* givenQueued(organization, conversation)
      const id = "wamid.reply"
      yield* tell(
        organization,
        receipt(account, { id, reference: queued.id, at: hours(1), pricing: free }),
        receipt(account, {
          id,
          reference: queued.id,
          status: "sent",
          pricing: { ...free, freeEntryPointExpiresAt: hours(73) }
        })
      )
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* view, [false, hours(24), { expiresAt: hours(73) }])
      yield* TestClock.adjust("48 hours")
      assert.deepStrictEqual(yield* view, [false, hours(24), null])
      const { pricing } = yield* readMessage(organization, queued)
      assert.deepInclude(pricing, { freeEntryPointExpiresAt: hours(73), type: "free_entry_point" })
    }))
})

describe("a played voice message", () => {
  test("is read, with the time of playing apart", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      yield* tell(organization, incoming(account))
      const [conversation = assert.fail()] = (yield* readStage(organization)).conversations
      const queued = yield* givenQueued(organization, conversation)
      const [id, reference] = ["wamid.voice", queued.id]
      yield* TestClock.adjust("2 hours")
      yield* tell(organization, receipt(account, { id, reference, status: "played", at: hours(2) }))
      yield* tell(organization, receipt(account, { id, reference, status: "read", at: hours(1) }))
      const { playedAt, readAt, status } = yield* readMessage(organization, queued)
      assert.deepStrictEqual([status, readAt, playedAt], ["read", hours(1), hours(2)])
    }))
})
