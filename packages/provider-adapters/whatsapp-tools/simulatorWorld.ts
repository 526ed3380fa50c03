import { type NumberStage, startChatSimulator } from "@parley/simulators/chat"
import { whatsAppFact, type WhatsAppFact } from "@parley/testkit/corpora/whatsapp"
import { Effect, Predicate, type Schema } from "effect"
import { createServer } from "node:http"

export const app = { appId: "634974688087057", appSecret: "614fc2afde15eee07a26b2fe3eaee9b9" }
export const phoneId = "106540352242922"
export const accountId = "102290129340398"
export const accessToken = "EAAcorpus"

// The simulator is reached as any program reaches the provider.
const { fetch: request } = globalThis

export const users = { main: "16505551234", india: "919000090000", brazil: "5511987654321" } as const

/** Answer of the simulator. */
export interface Reply {
  readonly status: number
  readonly body: Schema.Json
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Text at a path of a body; empty without one. */
export const textAt = (body: unknown, ...path: ReadonlyArray<string | number>): string => {
  const value = path.reduce<unknown>(
    (inner, key) => (Predicate.isObjectOrArray(inner) ? Reflect.get(inner, key) : undefined),
    body
  )
  return typeof value === "string" ? value : ""
}

/** Receives the verification of callbacks. */
export const callback = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((request, response) => {
      response.end(new URL(request.url ?? "/", "http://callback").searchParams.get("hub.challenge") ?? "")
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.callback<void>((resume) => {
      server.closeAllConnections()
      server.close(() => resume(Effect.void))
    })
).pipe(
  Effect.map((server) => {
    const address = server.address()
    return `http://127.0.0.1:${Predicate.isObject(address) ? address.port : 0}/`
  })
)

/** A simulator with the number of the corpus, at a stage, whose users have just written. */
export const makeWorld = Effect.fnUntraced(function* (stage: NumberStage) {
  const simulator = yield* startChatSimulator({
    app,
    numbers: [],
    startAt: 1_780_000_000_000,
    webhook: { url: "http://127.0.0.1:9/", appSecret: app.appSecret },
    attempts: 1,
    pairMillis: 0,
    reviewMillis: 0,
    rejectsDuplicates: false
  })
  simulator.addNumber({ phoneId, businessId: accountId, displayPhone: "15550783881", accessToken }, stage)
  const message = simulator.write(phoneId, users.main, { type: "text", text: "Hello" })
  simulator.write(phoneId, users.india, { type: "text", text: "Hello" })
  simulator.write(phoneId, users.brazil, { type: "text", text: "Hello" })
  const user = simulator.addCustomer(null, "Sheena")
  simulator.write(phoneId, user, { type: "text", text: "Hello" })

  const call = ({ body, headers = {}, method, path }: Call): Effect.Effect<Reply> =>
    Effect.promise(async () => {
      const response = await request(`${simulator.url}/v27.0${path}`, {
        method,
        headers: { authorization: `Bearer ${accessToken}`, ...headers },
        ...(body === undefined ? {} : { body })
      })
      return { status: response.status, body: JSON.parse(await response.text()) as Schema.Json }
    })
  return { simulator, call, message, user }
})
export type World = Effect.Success<ReturnType<typeof makeWorld>>

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"))

const jpeg = bytesOf(textAt(whatsAppFact("requests", "upload-media").body, "file", "base64"))

const files: Readonly<Record<string, { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }>> = {
  image: { type: "image/jpeg", bytes: jpeg },
  video: { type: "video/mp4", bytes: new Uint8Array(64) },
  gif: { type: "video/mp4", bytes: new Uint8Array(64) },
  audio: { type: "audio/ogg; codecs=opus", bytes: new Uint8Array(Buffer.from("OggS OpusHead")) },
  document: { type: "application/pdf", bytes: new Uint8Array(Buffer.from("%PDF-1.7")) },
  sticker: { type: "image/webp", bytes: new Uint8Array(Buffer.from("RIFF0000WEBPVP8L")) }
}

/** Uploads a file for messages; returns its id. */
export const uploadFile = Effect.fnUntraced(function* ({ call }: World, kind: string) {
  const { bytes, type } = files[kind] ?? { bytes: jpeg, type: "image/jpeg" }
  const form = new FormData()
  form.set("messaging_product", "whatsapp")
  form.set("type", type)
  form.set("file", new Blob([bytes], { type }), "file")
  return textAt((yield* call({ method: "POST", path: `/${phoneId}/media`, body: form })).body, "id")
})

/** Uploads a sample in a session; returns its handle. */
export const uploadSample = Effect.fnUntraced(function* ({ call }: World, kind: string) {
  const { bytes, type } = files[kind] ?? { bytes: jpeg, type: "image/jpeg" }
  const query = new URLSearchParams({ file_name: "file", file_length: String(bytes.length), file_type: type })
  const session = textAt((yield* call({ method: "POST", path: `/${app.appId}/uploads?${query}` })).body, "id")
  const headers = { authorization: `OAuth ${accessToken}`, file_offset: "0" }
  return textAt((yield* call({ method: "POST", path: `/${session}`, body: bytes, headers })).body, "h")
})

const filesIn = (value: Schema.Json): ReadonlyArray<{ readonly kind: string; readonly id: string }> => {
  if (Array.isArray(value)) return value.flatMap(filesIn)
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key in files && textAt(inner, "id") !== "" ? [{ kind: key, id: textAt(inner, "id") }] : []),
    ...filesIn(inner as Schema.Json)
  ])
}

const formatsIn = (body: Schema.Json): ReadonlyArray<string> =>
  Array.from(JSON.stringify(body).matchAll(/"format":"(IMAGE|VIDEO|DOCUMENT|GIF)"/gu), ([, format = ""]) => format)

const handles = /"4::[^"]+"/gu

/** Replaces the ids of the corpus by the ids of the simulator. Files and samples are uploaded. */
export const adapted = Effect.fnUntraced(function* (world: World, body: Schema.Json) {
  let text = JSON.stringify(body)
    .replaceAll(/"wamid\.[^"]+"/gu, JSON.stringify(world.message))
    .replaceAll(/"US\.(?:ENT\.)?\d+"/gu, JSON.stringify(world.user))
    // The corpus offers end in the past.
    .replaceAll(/"expiration_time_ms":\d+/gu, `"expiration_time_ms":${world.simulator.now() + 3_600_000}`)
  for (const { id, kind } of filesIn(body)) text = text.replace(`"${id}"`, `"${yield* uploadFile(world, kind)}"`)
  if (text.search(handles) !== -1) {
    const sample = yield* uploadSample(world, formatsIn(body)[0]?.toLowerCase() ?? "image")
    text = text.replaceAll(handles, JSON.stringify(sample))
  }
  return text
})

/** Creates the template of a creation in the corpus, and approves it; returns its id. */
export const createTemplate = Effect.fnUntraced(function* (world: World, name: string, as?: string) {
  const fact = whatsAppFact("requests", `create-template-${name}`)
  const body = JSON.parse(yield* adapted(world, fact.body)) as Record<string, Schema.Json>
  const { body: answer } = yield* world.call({
    method: "POST",
    path: `/${accountId}/message_templates`,
    body: JSON.stringify(as === undefined ? body : { ...body, name: as })
  })
  world.simulator.advance(1)
  return textAt(answer, "id")
})

export const templateNameIn = ({ body }: WhatsAppFact<"requests">): string => textAt(body, "template", "name")
