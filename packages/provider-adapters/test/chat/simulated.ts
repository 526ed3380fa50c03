import { NodeHttpClient } from "@effect/platform-node"
import type { Line, Recipient } from "@parley/domain"
import { layer as whatsApp, type WhatsAppOptions } from "@parley/provider-adapters/chat/whatsapp"
import { ChatProviderSide } from "@parley/testkit/contracts"
import {
  ChatSimulator,
  type ChatSimulatorOptions,
  defaultApp,
  layer as simulator
} from "@parley/testkit/simulators/chat"
import { Effect, Layer, Redacted } from "effect"

export const number = {
  phoneId: "200000000000001",
  businessId: "100000000000001",
  displayPhone: "15550100001",
  accessToken: "EAAsimulatortoken"
}

export const line: Line = {
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
  receipts: { sent: 1, delivered: 2, read: 3 },
  throughputPerSecond: 100_000
}

/** The adapter, talking to a simulator of its own over loopback. */
export const simulated = (options: ChatSimulatorOptions = quiet, adapter: WhatsAppOptions = {}) =>
  Layer.unwrap(
    Effect.map(ChatSimulator, ({ url }) =>
      whatsApp({ baseUrl: url, app, timeout: "20 seconds", loopbackMedia: true, ...adapter })
    )
  ).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.provideMerge(simulator(options)))

const png = { type: "image", mimeType: "image/png" } as const

/** What the contract asks of a provider, done by the simulator. */
export const side = Layer.effect(
  ChatProviderSide,
  Effect.map(ChatSimulator, (simulator) => {
    let count = 0
    const phone = () => `+1555${String((count += 1)).padStart(7, "0")}`
    const write = (from: string, text: string) => simulator.write(number.phoneId, from, { type: "text", text })
    const fileOf = (body: string): string => /"id":"(4\d{14})"/u.exec(body)?.[1] ?? ""

    return ChatProviderSide.of({
      line,
      endedLine: { ...line, accessToken: Redacted.make("EAAended") },
      unknownLine: { ...line, phoneId: "200000000000099" },
      secret,
      customer: Effect.sync((): Recipient => {
        const value = phone()
        write(value, "Hi")
        return { kind: "phone", value }
      }),
      customerWithoutPhone: Effect.sync((): Recipient => {
        const value = simulator.addCustomer(null)
        write(value, "Hi")
        return { kind: "chat_user", value }
      }),
      silentCustomer: Effect.sync((): Recipient => ({ kind: "phone", value: phone() })),
      taken: Effect.sync(() =>
        simulator
          .accepted()
          .map(({ id, reference, to, type }) => ({ providerMessageId: id, to, kind: type, reference }))
      ),
      refuseNext: (code) => Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "error", code } })),
      loseNext: Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "reset" } })),
      holdNext: Effect.sync(() => simulator.misbehave({ on: "messages", what: { kind: "held" } })),
      writes: (from, text) =>
        Effect.sync(() => {
          const id = write(from.value, text)
          const delivery = simulator.deliveries().find(({ body }) => body.includes(id))
          return { body: Buffer.from(delivery?.body ?? ""), signature: delivery?.signature ?? "" }
        }),
      file: (bytes) =>
        Effect.sync(() => {
          const data = Buffer.from(bytes).toString("base64")
          simulator.write(number.phoneId, phone(), { ...png, data })
          return fileOf(simulator.deliveries().at(-1)?.body ?? "")
        }),
      approve: (name, language) =>
        Effect.sync(() => simulator.decide(number.businessId, name, language.replaceAll("-", "_"), "APPROVED")),
      signupCode: Effect.sync(() => {
        simulator.addSignupCode("signup-code", number.businessId, "EAAfromsignup")
        return Redacted.make("signup-code")
      })
    })
  })
)
