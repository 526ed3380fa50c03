import { assert, describe } from "@effect/vitest"
import { Message } from "@parley/domain/messaging"
import { givenOrganization } from "@parley/testkit"
import { DateTime, Effect, Equal } from "effect"
import { isSameProgress, type MessageProgress, withProgress } from "../../../src/messaging/inbox/messageProgress.ts"
import { givenChatAccount, givenQueued, givenTalk, test } from "./given.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { conversation } = yield* givenTalk(organization, yield* givenChatAccount(organization))
  return yield* givenQueued(organization, conversation)
})

const at = (millis: number) => DateTime.makeUnsafe(millis)

/** Two different new values of each field. */
const values = (): ReadonlyArray<readonly [Partial<MessageProgress>, Partial<MessageProgress>]> => {
  const error = (reason: string) => ({ code: "refused", providerCode: 7, reason })
  const pricing = (category: string) => ({
    billable: true,
    category,
    model: "PMP",
    type: null,
    freeEntryPointExpiresAt: null,
    at: at(5)
  })
  return [
    [{ status: "sent" }, { status: "failed" }],
    [{ providerMessageId: "wamid.1" }, { providerMessageId: "wamid.2" }],
    [{ sentAt: at(1) }, { sentAt: at(2) }],
    [{ deliveredAt: at(1) }, { deliveredAt: at(2) }],
    [{ readAt: at(1) }, { readAt: at(2) }],
    [{ playedAt: at(1) }, { playedAt: at(2) }],
    [{ failedAt: at(1) }, { failedAt: at(2) }],
    [{ error: error("a") }, { error: error("b") }],
    [{ pricing: pricing("utility") }, { pricing: pricing("marketing") }]
  ]
}

describe("how far a message has come", () => {
  test("is the same exactly where the messages are", () =>
    Effect.gen(function* () {
      const message = yield* given
      const again = values()
      for (const [place, [one, other]] of values().entries()) {
        const same = again[place]?.[0] ?? assert.fail()
        const stages = [message, withProgress(message, one), withProgress(message, other), withProgress(message, same)]
        for (const was of stages) {
          for (const is of stages) {
            assert.strictEqual(isSameProgress(was, is), Equal.equals({ ...was }, { ...is }))
          }
        }
      }
    }))

  test("changes nothing else, and makes a message as its schema does", () =>
    Effect.gen(function* () {
      const message = yield* given
      for (const [change] of values()) {
        const made = withProgress(message, change)
        assert.instanceOf(made, Message)
        assert.deepStrictEqual(made, new Message({ ...message, ...change }))
        assert.deepStrictEqual({ ...message }, { ...withProgress(message, {}) })
      }
    }))
})
