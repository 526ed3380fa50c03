import { assert, describe, it } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import {
  type ChatAccount,
  ChatChannels,
  type ConversationId,
  connectChatAccount,
  getMessage,
  listConversations,
  type Message,
  type MessageSender,
  sendMessage
} from "@parley/domain/messaging"
import { sendDueMessages } from "@parley/domain/composition"
import { applyReportedEvents, asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { ChatSimulator, type Misbehaviour } from "@parley/simulators/chat"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { line, number, quiet, secret, simulated } from "./simulated.ts"

const messages = 60

/** Failures in sequence. An executed call takes effect even if its answer is lost. */
const storm: ReadonlyArray<Misbehaviour["what"]> = [
  { kind: "raw", status: 503, body: "<html>Busy</html>", done: true },
  { kind: "error", code: 131_000 },
  { kind: "reset" },
  { kind: "error", code: 130_429 },
  { kind: "raw", status: 200, body: "{{{", done: true },
  { kind: "hang" },
  { kind: "error", code: 2 },
  { kind: "reset", done: false },
  { kind: "error", code: 131_057 },
  { kind: "truncate" },
  { kind: "raw", status: 429, body: "" },
  { kind: "hang", done: false },
  { kind: "raw", status: 302, body: "", headers: { location: "http://127.0.0.1:9/" }, done: true },
  { kind: "error", code: 131_056 },
  { kind: "error", code: 1, status: 500 }
]

/** A customer who has written, here and with the provider, so that the window is open. */
const givenCustomer = Effect.fnUntraced(function* (
  organization: Organization,
  account: Pick<ChatAccount, "externalPhoneId">,
  index: number
) {
  const phone = `1555${String(2_000_000 + index)}`
  const id = (yield* ChatSimulator).write(number.phoneId, phone, { type: "text", text: "Hi" })
  yield* applyReportedEvents([
    {
      kind: "message",
      phoneId: account.externalPhoneId,
      id,
      at: yield* DateTime.now,
      from: { phone: `+${phone}`, chatUser: null, name: null },
      content: { kind: "text", text: "Hi" },
      replyTo: null,
      fromAdvertisement: false
    }
  ]).pipe(asOperatorOf(organization), Effect.orDie)
})

/** Counts the calls of the channel: calls without an answer, and calls that have timed out. */
const countedCalls = () => {
  let open = 0
  let timedOut = 0
  return {
    open: () => open,
    timedOut: () => timedOut,
    through: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.updateService(effect, ChatChannels, (channels) => {
        const channel = channels.get("whatsapp") ?? assert.fail()
        const send: MessageSender["send"] = (line, message) =>
          Effect.suspend(() => {
            open += 1
            return channel.sending.send(line, message)
          }).pipe(
            Effect.tapError((error) =>
              Effect.sync(() => {
                if (error._tag === "ChannelInDoubt" && error.reason === "timeout") timedOut += 1
              })
            ),
            Effect.ensuring(Effect.sync(() => void (open -= 1)))
          )
        return new Map([...channels, ["whatsapp", { ...channel, sending: { ...channel.sending, send } }]])
      })
  }
}

describe("Sending through a storm", () => {
  it.effect("sends nothing twice, and says of each message what is known of it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const inside = asOperatorOf(organization)
      const account = yield* connectChatAccount({
        externalAccountId: number.businessId,
        externalPhoneId: number.phoneId,
        accessToken: line.accessToken,
        appSecret: secret
      }).pipe(inside)
      yield* Effect.forEach(Array.from({ length: messages }), (_, index) => givenCustomer(organization, account, index))
      const { data } = yield* listConversations({ page: { limit: 100, cursor: null } }).pipe(inside)
      const conversations: ReadonlyArray<ConversationId> = data.map(({ id }) => id)
      assert.lengthOf(conversations, messages)
      const simulator = yield* ChatSimulator
      for (const what of storm) simulator.misbehave({ on: "messages", what })
      const written = yield* Effect.forEach(conversations, (id) =>
        sendMessage({ id, kind: "text", text: "Hello" }).pipe(inside)
      )
      const calls = countedCalls()
      const sender = Effect.forever(Effect.andThen(sendDueMessages, Effect.sleep("250 millis")))
      yield* Effect.replicateEffect(Effect.forkChild(calls.through(sender)), 3)
      const read = Effect.forEach(written, ({ conversationId, id }) =>
        getMessage({ id: conversationId, messageId: id })
      ).pipe(inside)
      const turn = Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))
      const hung = () => simulator.calls().filter(({ scripted }) => scripted?.kind === "hang").length
      let after: ReadonlyArray<Message> = yield* read
      while (after.some(({ status }) => status === "queued")) {
        // Only hanging calls need the clock. Others get their answers before it moves, however long these take.
        while (calls.open() > hung() - calls.timedOut()) yield* turn
        yield* TestClock.adjust("250 millis")
        yield* turn
        after = yield* read
      }
      const accepted = simulator.accepted().map(({ reference }) => reference)
      assert.lengthOf(new Set(accepted), accepted.length, "a message was sent twice")
      const statuses = (wanted: Message["status"]) => after.filter(({ status }) => status === wanted)
      for (const { id } of statuses("sent")) assert.include(accepted, id)
      for (const { id } of statuses("failed")) assert.notInclude(accepted, id)
      assert.isAtLeast(statuses("sent").length, messages - storm.length)
      assert.isAtLeast(statuses("in_doubt").length, 8)
    }).pipe(Effect.provide(Layer.merge(TestKit.layer, simulated({ ...quiet, pairMillis: 0 })), { local: true }))
  )
})
