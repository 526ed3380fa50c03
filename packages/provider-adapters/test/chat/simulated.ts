import { NodeHttpClient } from "@effect/platform-node"
import { ChatChannels, type ProviderConnection, type Recipient } from "@parley/domain/messaging"
import { layer as whatsApp, type WhatsAppOptions } from "@parley/provider-adapters/chat/whatsapp"
import {
  ChannelSide,
  DeliverySide,
  MediaSide,
  NumberSide,
  SendingSide,
  SignupSide,
  TemplateSide
} from "@parley/testkit/contracts"
import { ChatSimulator, type ChatSimulatorOptions, defaultApp, layer as simulator } from "@parley/simulators/chat"
import { Context, Effect, Layer, Redacted } from "effect"

export const number = {
  phoneId: "200000000000001",
  businessId: "100000000000001",
  displayPhone: "15550100001",
  accessToken: "EAAsimulatortoken",
  isCallingEnabled: true,
  hasCatalog: true
}

export const line: ProviderConnection = {
  phoneId: number.phoneId,
  businessId: number.businessId,
  accessToken: Redacted.make(number.accessToken)
}

export const secret = Redacted.make(defaultApp.appSecret)

export const app = { appId: defaultApp.appId, appSecret: secret }

/** A simulator whose deliveries go nowhere, but are kept. */
export const quiet: ChatSimulatorOptions = {
  numbers: [number],
  webhook: { url: "http://127.0.0.1:9/", appSecret: defaultApp.appSecret },
  attempts: 1,
  reviewMillis: null,
  // The contracts read refusals from the answer. Most of the provider's come in a receipt.
  refusals: "answer",
  templatesPerHour: 10_000,
  maxTemplates: 10_000,
  receipts: { sent: 1, delivered: 2, read: 3 },
  throughputPerSecond: 100_000
}

/** The adapter with its own simulator over loopback. */
export const simulated = (options: ChatSimulatorOptions = quiet, adapter: WhatsAppOptions = {}) =>
  Layer.unwrap(
    Effect.map(ChatSimulator, ({ url }) =>
      whatsApp({ baseUrl: url, app, timeout: "20 seconds", loopbackMedia: true, ...adapter })
    )
  ).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.provideMerge(simulator(options)))

const png = { type: "image", mimeType: "image/png" } as const

/** The channel of WhatsApp, with everything that there is. */
export const channel = Effect.flatMap(ChatChannels, (channels) => Effect.fromNullishOr(channels.get("whatsapp"))).pipe(
  Effect.orDie
)

const refusals = [
  [130_429, "slow_down"],
  [131_056, "delay_recipient"],
  [131_048, "stop_campaigns"],
  [131_026, "skip_recipient"],
  [131_049, "skip_for_now"],
  [131_050, "opt_out"],
  [132_001, "refresh_template"],
  [131_051, "give_up"],
  [190, "reauthorize"],
  [131_000, "retry"]
] as const

/** What the contracts ask of a provider, done by the simulator. */
export const sides = Layer.effectContext(
  Effect.gen(function* () {
    const simulator = yield* ChatSimulator
    let count = 0
    const phone = () => `+1555${String((count += 1)).padStart(7, "0")}`
    const write = (from: string, text: string) => simulator.write(number.phoneId, from, { type: "text", text })
    const fileOf = (body: string): string => /"id":"(4\d{14})"/u.exec(body)?.[1] ?? ""

    return Context.empty().pipe(
      Context.add(ChannelSide, {
        channel: yield* channel,
        line,
        endedLine: { ...line, accessToken: Redacted.make("EAAended") },
        customer: Effect.sync((): Recipient => {
          const value = phone()
          write(value, "Hi")
          return { kind: "phone", value }
        }),
        customerWithoutPhone: Effect.sync((): Recipient => {
          const value = simulator.addCustomer(null)
          write(value, "Hi")
          return { kind: "chat_user", value }
        })
      }),
      Context.add(SendingSide, {
        taken: Effect.sync(() =>
          simulator
            .accepted()
            .map(({ id, reference, to, type }) => ({ providerMessageId: id, to, kind: type, reference }))
        ),
        received: Effect.sync(() => write(phone(), "Hi")),
        refusals,
        refuseNext: (code) => Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "error", code } })),
        loseNext: Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "reset" } }))
      }),
      Context.add(NumberSide, { unknownLine: { ...line, phoneId: "200000000000099" } }),
      Context.add(MediaSide, {
        file: (bytes) =>
          Effect.sync(() => {
            const data = Buffer.from(bytes).toString("base64")
            simulator.write(number.phoneId, phone(), { ...png, data })
            return fileOf(simulator.deliveries().at(-1)?.body ?? "")
          })
      }),
      Context.add(TemplateSide, {
        silentCustomer: Effect.sync((): Recipient => ({ kind: "phone", value: phone() })),
        holdNext: Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "held" } })),
        approve: (name, language) =>
          Effect.sync(() => simulator.decide(number.businessId, name, language.replaceAll("-", "_"), "APPROVED"))
      }),
      Context.add(SignupSide, {
        signupCode: Effect.sync(() => {
          simulator.addSignupCode("signup-code", number.businessId, "EAAfromsignup")
          return Redacted.make("signup-code")
        })
      }),
      Context.add(DeliverySide, {
        secret,
        signatureHeader: "x-hub-signature-256",
        writes: (from, text) =>
          Effect.sync(() => {
            const id = write(from.value, text)
            const delivery = simulator.deliveries().find(({ body }) => body.includes(id))
            const headers = { "x-hub-signature-256": delivery?.signature ?? "" }
            return { body: Buffer.from(delivery?.body ?? ""), headers }
          })
      })
    )
  })
)
