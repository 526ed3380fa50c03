import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { OutgoingMessage } from "@parley/domain/messaging"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { line } from "./simulated.ts"
import { answering, listening } from "./sockets.ts"

const messageOf = (name: string, isMarketing: boolean): OutgoingMessage => ({
  to: { kind: "phone", value: "+15551234567" },
  content: {
    kind: "template",
    template: {
      name,
      language: "en",
      named: false,
      header: { kind: "none" },
      body: {},
      buttons: [],
      ...(isMarketing && { isMarketing: true as const })
    }
  },
  replyTo: null,
  reference: "reference"
})

const refusal = (code: number) => JSON.stringify({ error: { message: "No", type: "OAuthException", code } })

const accepted = JSON.stringify({ messages: [{ id: "wamid.1" }] })

interface Provider {
  status: string
  /** Refusals of the next calls, by interface. */
  readonly refuse: { readonly marketing: Array<number>; readonly messages: Array<number> }
}

const given = (status: string) =>
  Effect.gen(function* () {
    const provider: Provider = { status, refuse: { marketing: [], messages: [] } }
    const calls: Array<string> = []
    const server = yield* listening((socket, request) => {
      const path = /\/(marketing_messages|messages) HTTP/u.exec(request)?.[1] ?? "status"
      calls.push(path)
      if (path === "status") {
        return answering(200, JSON.stringify({ marketing_messages_onboarding_status: provider.status, id: "1" }))(
          socket,
          request
        )
      }
      const code = provider.refuse[path === "messages" ? "messages" : "marketing"].shift()
      return (code === undefined ? answering(200, accepted) : answering(400, refusal(code)))(socket, request)
    })
    const context = yield* Layer.build(
      whatsApp({ baseUrl: server.url }).pipe(Layer.provide(NodeHttpClient.layerUndici))
    )
    const { sending } = yield* Effect.provideContext(MemoryChat.whole, context)
    const send = (message = messageOf("offer", true)) =>
      Effect.match(sending.send(line, message), {
        onSuccess: ({ providerMessageId }) => providerMessageId,
        onFailure: (error) => (error._tag === "ChannelRefused" ? error.code : error._tag)
      })
    const taken = () => calls.splice(0)
    return { provider, send, taken }
  })

describe("A marketing template", () => {
  it.effect("goes over the interface for marketing where the account is onboarded, and other templates do not", () =>
    Effect.gen(function* () {
      const { send, taken } = yield* given("ONBOARDED")
      assert.strictEqual(yield* send(), "wamid.1")
      yield* send()
      yield* send(messageOf("order", false))
      assert.deepStrictEqual(taken(), ["status", "marketing_messages", "marketing_messages", "messages"])
    })
  )

  it.effect("goes over the usual interface where the account is not onboarded, and the status is read each hour", () =>
    Effect.gen(function* () {
      const { provider, send, taken } = yield* given("ELIGIBLE")
      yield* send()
      yield* send()
      assert.deepStrictEqual(taken(), ["status", "messages", "messages"])
      provider.status = "ONBOARDED"
      yield* TestClock.adjust("61 minutes")
      yield* send()
      assert.deepStrictEqual(taken(), ["status", "marketing_messages"])
    })
  )

  it.effect("falls back for ten minutes while the template is synchronizing", () =>
    Effect.gen(function* () {
      const { provider, send, taken } = yield* given("ONBOARDED")
      provider.refuse.marketing.push(134_101)
      assert.strictEqual(yield* send(), "wamid.1")
      yield* send()
      yield* send(messageOf("other", true))
      assert.deepStrictEqual(taken(), ["status", "marketing_messages", "messages", "messages", "marketing_messages"])
      yield* TestClock.adjust("10 minutes")
      yield* send()
      assert.deepStrictEqual(taken(), ["marketing_messages"])
    })
  )

  it.effect("falls back where the onboarding has ended or the category differs", () =>
    Effect.gen(function* () {
      const { provider, send, taken } = yield* given("ONBOARDED")
      provider.refuse.marketing.push(131_055, 134_100, 134_102)
      for (let time = 0; time < 4; time += 1) assert.strictEqual(yield* send(), "wamid.1")
      assert.deepStrictEqual(taken(), [
        "status",
        "marketing_messages",
        "messages",
        "marketing_messages",
        "messages",
        "marketing_messages",
        "messages",
        "messages"
      ])
    })
  )

  it.effect("goes over the interface for marketing where the usual one takes no marketing", () =>
    Effect.gen(function* () {
      const { provider, send, taken } = yield* given("ELIGIBLE")
      provider.refuse.messages.push(131_063)
      assert.strictEqual(yield* send(), "wamid.1")
      assert.deepStrictEqual(taken(), ["status", "messages", "marketing_messages"])
      yield* send()
      assert.deepStrictEqual(taken(), ["marketing_messages"])
    })
  )

  it.effect("is refused where neither interface takes it, and other refusals cause no second call", () =>
    Effect.gen(function* () {
      const { provider, send, taken } = yield* given("ELIGIBLE")
      provider.refuse.messages.push(131_063)
      provider.refuse.marketing.push(134_102)
      assert.strictEqual(yield* send(), 131_063)
      provider.refuse.messages.push(131_049)
      assert.strictEqual(yield* send(), 131_049)
      assert.deepStrictEqual(taken(), ["status", "messages", "marketing_messages", "messages"])
    })
  )
})
