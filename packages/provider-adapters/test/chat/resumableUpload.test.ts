import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { whatsAppFact } from "@parley/testkit/corpora/whatsapp"
import { Effect, Layer } from "effect"
import { idAt, textAt } from "../../src/json.ts"
import { line } from "./simulated.ts"
import { answering, type Behaviour, listening } from "./sockets.ts"

const file = {
  bytes: new TextEncoder().encode("0123456789".repeat(12) + "abcde"),
  mimeType: "image/jpeg",
  filename: "aloe.jpg"
}

const session = textAt(whatsAppFact("answers", "upload-session").body, "id") ?? ""
const handle = textAt(whatsAppFact("answers", "upload-handle").body, "h") ?? ""
const offset = whatsAppFact("answers", "upload-offset").body

const answer = (socket: Parameters<Behaviour>[0], body: unknown, status = 200) =>
  answering(status, JSON.stringify(body))(socket, "")

const headOf = (request: string) => request.split("\r\n")[0] ?? ""

const uploading = (respond: Behaviour) =>
  Effect.gen(function* () {
    const server = yield* listening(respond)
    const result = yield* Effect.gen(function* () {
      const channel = yield* MemoryChat.whole
      return yield* Effect.result(channel.templates.uploadSample(line, file))
    }).pipe(
      Effect.provide(
        whatsApp({ baseUrl: server.url, fileTimeout: 500 }).pipe(Layer.provide(NodeHttpClient.layerUndici))
      )
    )
    return { result, requests: server.requests }
  })

const isBytes = (request: string) => request.includes(`POST /`) && headOf(request).includes(session)

describe("The upload of a sample", () => {
  it.live("goes through the app of the token and keeps the address of the session", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* uploading((socket, request) => {
        if (headOf(request).includes("/app ")) return answer(socket, { id: "634974688087057" })
        return answer(socket, isBytes(request) ? { h: handle } : { id: session })
      })
      assert.deepStrictEqual(result._tag === "Success" ? result.success : result, handle)
      const [app, opened, sent] = requests
      assert.match(headOf(app ?? ""), /^GET \/v\d+\.0\/app /u)
      assert.match(
        headOf(opened ?? ""),
        /^POST \/v\d+\.0\/634974688087057\/uploads\?file_name=aloe\.jpg&file_length=125&file_type=image%2Fjpeg /u
      )
      assert.include(sent?.toLowerCase(), "file_offset: 0\r\n")
      assert.include(sent, "authorization: OAuth ")
      assert.isTrue(sent?.endsWith("abcde"))
    }).pipe(Effect.scoped)
  )

  it.live("continues at the offset of the provider after a break", () =>
    Effect.gen(function* () {
      let broken = 0
      const { requests, result } = yield* uploading((socket, request) => {
        if (headOf(request).includes("/app ")) return answer(socket, { id: "634974688087057" })
        if (headOf(request).startsWith("GET") && headOf(request).includes(session)) return answer(socket, offset)
        if (!isBytes(request)) return answer(socket, { id: session })
        broken += 1
        return broken === 1 ? void socket.destroy() : answer(socket, { h: handle })
      })
      assert.deepStrictEqual(result._tag === "Success" ? result.success : result, handle)
      const last = requests.at(-1) ?? ""
      assert.include(last.toLowerCase(), `file_offset: ${idAt(offset, "file_offset")}\r\n`)
      assert.include(last.toLowerCase(), `content-length: ${125 - 64}\r\n`)
    }).pipe(Effect.scoped)
  )

  it.live("asks for the app of the token in another way where the first one is refused", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* uploading((socket, request) => {
        if (headOf(request).includes("/app ")) {
          return answer(socket, { error: { code: 100, error_subcode: 33, message: "Unsupported get request." } }, 400)
        }
        if (headOf(request).includes("/debug_token")) return answer(socket, { data: { app_id: "17" } })
        return answer(socket, isBytes(request) ? { h: handle } : { id: session })
      })
      assert.strictEqual(result._tag, "Success")
      assert.isTrue(requests.some((request) => headOf(request).includes("/17/uploads")))
    }).pipe(Effect.scoped)
  )

  it.live("is given up after some breaks", () =>
    Effect.gen(function* () {
      const { result } = yield* uploading((socket, request) => {
        if (headOf(request).includes("/app ")) return answer(socket, { id: "634974688087057" })
        if (headOf(request).startsWith("GET")) return answer(socket, offset)
        return isBytes(request) ? void socket.destroy() : answer(socket, { id: session })
      })
      assert.strictEqual(result._tag === "Failure" && result.failure._tag, "ChannelUnreachable")
    }).pipe(Effect.scoped)
  )
})
