import type { ChatSimulatorOptions, RunningChatSimulator } from "@parley/simulators/chat"
import { type WhatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect } from "effect"
import { at, simulator, sink } from "../harness.ts"

type Json = Readonly<Record<string, unknown>>

/** Account, number and app of the facts. */
export const fact = {
  phoneId: "106540352242922",
  businessId: "102290129340398",
  displayPhone: "15550783881",
  token: "EAAJB3Token",
  app: { appId: "634974688087057", appSecret: "614fc2afde15eee07a26b2fe3eaee9b9" },
  customer: "16505551234"
} as const

const number = {
  phoneId: fact.phoneId,
  businessId: fact.businessId,
  displayPhone: fact.displayPhone,
  verifiedName: "Lucky Shrub",
  messagingLimit: "TIER_2K",
  accessToken: fact.token,
  hasCatalog: true
}

/** The facts have times of 2024 and later. */
const startAt = 1_730_000_000_000

/** A simulator with the account of the facts, and the address that gets its deliveries. */
export const factSimulatorWith = Effect.fnUntraced(function* (options: ChatSimulatorOptions) {
  const { url } = yield* sink()
  const provider = yield* simulator({
    startAt,
    numbers: [number],
    app: fact.app,
    webhook: { url, appSecret: fact.app.appSecret },
    attempts: 1,
    pairMillis: 0,
    reviewMillis: null,
    pacingMillis: null,
    ...options
  })
  provider.write(fact.phoneId, provider.addCustomer(fact.customer, "Pablo Morales"), { type: "text", text: "Hi" })
  return { provider, url }
})

export const factSimulator = factSimulatorWith({})

/** Calls the simulator as a client does. */
export const request = (
  provider: RunningChatSimulator,
  method: string,
  path: string,
  body: BodyInit | null,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<{ readonly status: number; readonly body: unknown; readonly headers: Headers }> =>
  Effect.promise(async () => {
    const response = await fetch(`${provider.url}/v27.0${path}`, {
      method,
      headers: { authorization: `Bearer ${fact.token}`, ...headers },
      ...(body === null ? {} : { body })
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  })

export const post = (provider: RunningChatSimulator, path: string, body: unknown) =>
  request(provider, "POST", path, JSON.stringify(body), { "content-type": "application/json" })

const fileTypes: Readonly<Record<string, string>> = {
  image: "image/jpeg",
  video: "video/mp4",
  gif: "video/mp4",
  audio: "audio/ogg; codecs=opus",
  document: "application/pdf",
  sticker: "image/webp"
}

/** Uploads a file for a message; its id. */
export const uploadFile = (provider: RunningChatSimulator, kind: string) =>
  Effect.suspend(() => {
    const type = fileTypes[kind] ?? ""
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("type", type)
    form.set("file", new Blob(["bytes"], { type }), "file")
    return Effect.map(request(provider, "POST", `/${fact.phoneId}/media`, form), ({ body }) => String(at(body, "id")))
  })

const sessionTypes: Readonly<Record<string, string>> = {
  IMAGE: "image/jpeg",
  VIDEO: "video/mp4",
  GIF: "video/mp4",
  DOCUMENT: "application/pdf"
}

/** Uploads an example of a header; its handle. */
export const uploadExample = Effect.fnUntraced(function* (provider: RunningChatSimulator, format: string) {
  const type = sessionTypes[format] ?? "image/jpeg"
  const query = new URLSearchParams({ file_name: "example", file_length: "5", file_type: type })
  const { body } = yield* request(provider, "POST", `/${fact.app.appId}/uploads?${query}`, null)
  const headers = { authorization: `OAuth ${fact.token}`, file_offset: "0" }
  const { body: uploaded } = yield* request(provider, "POST", `/${String(at(body, "id"))}`, "bytes", headers)
  return String(at(uploaded, "h"))
})

/** Replaces the files, examples and addresses of a fact by ones of the simulator. */
export const adapted = Effect.fnUntraced(function* (
  provider: RunningChatSimulator,
  value: unknown,
  texts: ReadonlyMap<string, string>
): Effect.fn.Return<unknown> {
  if (typeof value === "string") return texts.get(value) ?? value
  if (Array.isArray(value)) return yield* Effect.forEach(value, (entry) => adapted(provider, entry, texts))
  if (typeof value !== "object" || value === null) return value
  const entries = yield* Effect.forEach(
    Object.entries(value),
    Effect.fnUntraced(function* ([key, entry]: [string, unknown]) {
      if (key in fileTypes && at(entry, "id") !== undefined) {
        return [key, { ...(entry as Json), id: yield* uploadFile(provider, key) }] as const
      }
      if (key === "example" && at(entry, "header_handle") !== undefined) {
        const format = String(at(value, "format")).toUpperCase()
        return [key, { header_handle: [yield* uploadExample(provider, format)] }] as const
      }
      if (key === "profile_picture_handle") return [key, yield* uploadExample(provider, "IMAGE")] as const
      return [key, yield* adapted(provider, entry, texts)] as const
    })
  )
  return Object.fromEntries(entries)
})

const creations = () =>
  whatsAppFacts("requests").filter(({ method, path }) => method === "POST" && path === "/{waba_id}/message_templates")

/** Creates the template of a fact and approves it; its id. */
export const createTemplate = Effect.fnUntraced(function* (
  provider: RunningChatSimulator,
  name: string,
  more: Json = {},
  event = "APPROVED"
) {
  const found = creations().find(({ body }) => at(body, "name") === name)
  const source: Json = found === undefined ? { ...plainTemplate, name } : (found.body as Json)
  const body = yield* adapted(provider, { ...source, ...more }, new Map())
  const answer = yield* post(provider, `/${fact.businessId}/message_templates`, body)
  const id = at(answer.body, "id")
  if (typeof id !== "string") throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
  if (event !== "PENDING") provider.decide(fact.businessId, name, "en_US", event)
  return id
})

const plainTemplate: Json = {
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { header_text: ["860198"] } },
    {
      type: "BODY",
      text: "Thanks {{1}}, your order {{2}} is on its way.",
      example: { body_text: [["Pablo", "860198"]] }
    },
    { type: "FOOTER", text: "Lucky Shrub" }
  ]
}

export type Request = WhatsAppFact<"requests">
