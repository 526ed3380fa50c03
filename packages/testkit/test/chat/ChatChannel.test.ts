import type { InboundEvent, Line, Recipient } from "@parley/domain"
import { MemoryChat } from "@parley/testkit"
import { chatChannelContract, ChatProviderSide } from "@parley/testkit/contracts"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const line: Line = { accessToken: Redacted.make("token"), phoneId: "200", businessId: "100" }
const secret = Redacted.make("app secret")

const remedies = {
  130_429: "slow_down",
  131_056: "delay_recipient",
  131_048: "stop_account",
  131_026: "skip_recipient",
  131_049: "skip_for_now",
  131_050: "opt_out",
  132_001: "refresh_template",
  131_051: "give_up",
  190: "reauthorize",
  131_000: "retry"
} as const

const remedyOf = (code: number) => Object.entries(remedies).find(([known]) => Number(known) === code)?.[1] ?? "give_up"

const textFrom = (from: Recipient, text: string): InboundEvent => ({
  kind: "message",
  phoneId: line.phoneId,
  id: SecureRandom.uuidV7Unsafe(),
  at: DateTime.makeUnsafe("2026-03-01T10:20:30Z"),
  from: {
    phone: from.kind === "phone" ? from.value : null,
    chatUser: from.kind === "phone" ? null : from.value,
    name: null
  },
  content: { kind: "text", text },
  replyTo: null,
  fromAdvertisement: false
})

const side = Layer.effect(
  ChatProviderSide,
  Effect.gen(function* () {
    const script = yield* MemoryChat.ChatScript
    let count = 0
    const phone = Effect.sync((): Recipient => ({
      kind: "phone",
      value: `+1555${String((count += 1)).padStart(7, "0")}`
    }))
    yield* script.revoke("ended")
    yield* script.forget("404")
    return ChatProviderSide.of({
      line,
      endedLine: { ...line, accessToken: Redacted.make("ended") },
      unknownLine: { ...line, phoneId: "404" },
      secret,
      customer: phone,
      customerWithoutPhone: Effect.sync((): Recipient => ({ kind: "chat_user", value: `US.${(count += 1)}` })),
      silentCustomer: Effect.tap(phone, ({ value }) => script.setWindow(value, false)),
      taken: Effect.map(script.sent, (sent) =>
        sent.map(({ message, providerMessageId }) => ({
          providerMessageId,
          to: message.to.value.replace(/^\+/u, ""),
          kind: message.content.kind,
          reference: message.reference
        }))
      ),
      refuseNext: (code) => script.next({ kind: "refused", code, remedy: remedyOf(code) }),
      loseNext: script.next({ kind: "in_doubt", taken: true }),
      holdNext: script.next({ kind: "held" }),
      writes: (from, text) => Effect.sync(() => script.deliver([textFrom(from, text)], secret)),
      file: script.addFile,
      approve: (name, language) => script.decide(name, language, "approved"),
      signupCode: Effect.gen(function* () {
        yield* script.addSignupCode("code", "another token")
        return Redacted.make("code")
      })
    })
  })
)

chatChannelContract("in memory", side.pipe(Layer.provideMerge(MemoryChat.layer)))
