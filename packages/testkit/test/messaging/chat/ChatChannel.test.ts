import type { InboundEvent, ProviderConnection, Recipient } from "@parley/domain/messaging"
import { MemoryChat } from "@parley/testkit"
import {
  ChannelSide,
  deliveryReadingContract,
  DeliverySide,
  mediaTransferContract,
  MediaSide,
  messageSendingContract,
  numberCheckingContract,
  NumberSide,
  numberSignupContract,
  SendingSide,
  SignupSide,
  templateApprovalContract,
  TemplateSide
} from "@parley/testkit/contracts"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"

const line: ProviderConnection = { accessToken: Redacted.make("token"), phoneId: "200", businessId: "100" }
const secret = Redacted.make("app secret")

const refusals = [
  [130_429, "slow_down"],
  [131_056, "delay_recipient"],
  [131_048, "stop_account"],
  [131_026, "skip_recipient"],
  [131_049, "skip_for_now"],
  [131_050, "opt_out"],
  [132_001, "refresh_template"],
  [131_051, "give_up"],
  [190, "reauthorize"],
  [131_000, "retry"]
] as const

const remedyOf = (code: number) => refusals.find(([known]) => known === code)?.[1] ?? "give_up"

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

const sides = Layer.effectContext(
  Effect.gen(function* () {
    const script = yield* MemoryChat.ChatScript
    let count = 0
    const phone = Effect.sync((): Recipient => ({
      kind: "phone",
      value: `+1555${String((count += 1)).padStart(7, "0")}`
    }))
    yield* script.revoke("ended")
    yield* script.forget("404")
    return Context.empty().pipe(
      Context.add(ChannelSide, {
        channel: yield* MemoryChat.whole,
        line,
        endedLine: { ...line, accessToken: Redacted.make("ended") },
        customer: phone,
        customerWithoutPhone: Effect.sync((): Recipient => ({ kind: "chat_user", value: `US.${(count += 1)}` }))
      }),
      Context.add(SendingSide, {
        taken: Effect.map(script.sent, (sent) =>
          sent.map(({ message, providerMessageId }) => ({
            providerMessageId,
            to: message.to.value.replace(/^\+/u, ""),
            kind: message.content.kind === "provider" ? String(message.content.payload["type"]) : message.content.kind,
            reference: message.reference
          }))
        ),
        received: Effect.succeed("wamid.received"),
        refusals,
        refuseNext: (code) => script.next({ kind: "refused", code, remedy: remedyOf(code) }),
        loseNext: script.next({ kind: "in_doubt", taken: true })
      }),
      Context.add(NumberSide, { unknownLine: { ...line, phoneId: "404" } }),
      Context.add(MediaSide, { file: script.addFile }),
      Context.add(TemplateSide, {
        silentCustomer: Effect.tap(phone, ({ value }) => script.setWindow(value, false)),
        holdNext: script.next({ kind: "held" }),
        approve: (name, language) => script.decide(name, language, "approved")
      }),
      Context.add(SignupSide, {
        signupCode: Effect.gen(function* () {
          yield* script.addSignupCode("code", "another token")
          return Redacted.make("code")
        })
      }),
      Context.add(DeliverySide, {
        secret,
        signatureHeader: MemoryChat.signatureHeader,
        writes: (from, text) => Effect.sync(() => script.deliver([textFrom(from, text)], secret))
      })
    )
  })
)

const provider = sides.pipe(Layer.provideMerge(MemoryChat.layer))

messageSendingContract("in memory", provider)
mediaTransferContract("in memory", provider)
numberCheckingContract("in memory", provider)
templateApprovalContract("in memory", provider)
numberSignupContract("in memory", provider)
deliveryReadingContract("in memory", provider)
