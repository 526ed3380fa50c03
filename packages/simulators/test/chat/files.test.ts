import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { defaultApp } from "@parley/simulators/chat"
import { Effect } from "effect"
import { ada, at, call, kept, pass, phoneId, sendPath, simulator, statesOf, text, valuesOf } from "./harness.ts"

const upload = (provider: RunningChatSimulator, type: string, bytes: Uint8Array | string, partType = type) =>
  Effect.promise(async () => {
    const form = new FormData()
    form.set("messaging_product", "whatsapp")
    form.set("type", type)
    form.set("file", new Blob([typeof bytes === "string" ? bytes : Uint8Array.from(bytes)], { type: partType }), "file")
    const headers = { authorization: "Bearer simulator-token" }
    const response = await fetch(`${provider.url}/${phoneId}/media`, { method: "POST", headers, body: form })
    const body: unknown = await response.json()
    return { id: String(at(body, "id") ?? ""), code: at(body, "error", "code") ?? null }
  })

const download = (url: string) =>
  Effect.promise(() =>
    fetch(url, { headers: { authorization: "Bearer simulator-token" } }).then(({ status }) => status)
  )

const day = 24 * 3_600_000
const kilobyte = 1_024

describe("A file of the simulated provider", () => {
  it.live("has a type and a size that the provider allows", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const animated = (size: number) => Buffer.concat([Buffer.from("RIFF....WEBPANIM"), Buffer.alloc(size - 16)])
      const cases: ReadonlyArray<readonly [type: string, bytes: Uint8Array | string, code: number | null]> = [
        ["image/png", Buffer.alloc(5 * kilobyte * kilobyte), null],
        ["image/png", Buffer.alloc(5 * kilobyte * kilobyte + 1), 131_053],
        ["image/webp", Buffer.alloc(100 * kilobyte), null],
        ["image/webp", Buffer.alloc(100 * kilobyte + 1), 131_053],
        ["image/webp", animated(500 * kilobyte), null],
        ["image/webp", animated(500 * kilobyte + 1), 131_053],
        ["audio/ogg", "no codec", 131_053],
        ["audio/ogg", "OggS OpusHead", null],
        ["audio/ogg; codecs=opus", "bytes", null],
        ["application/pdf", "bytes", null],
        ["application/zip", "bytes", 131_053],
        ["image/gif", "bytes", 131_053]
      ]
      for (const [type, bytes, code] of cases) {
        assert.strictEqual((yield* upload(provider, type, bytes)).code, code, `${type} ${bytes.length}`)
      }
      assert.strictEqual((yield* upload(provider, "image/png", "bytes", "image/jpeg")).code, 131_053)
    })
  )

  it.live("is kept for 30 days, and a received file for 7", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const { id } = yield* upload(provider, "image/png", "bytes")
      provider.write(phoneId, ada, { type: "image", mimeType: "image/png", data: "AAAA" })
      const image = at(valuesOf(provider, "messages")[0], "messages", 0, "image")
      const received = String(at(image, "id"))
      assert.strictEqual(yield* download(String(at(image, "url"))), 200)
      const status = (file: string) => Effect.map(call(provider, `/${file}`), (answer) => answer.status)
      yield* pass(provider, 7 * day)
      assert.deepStrictEqual([yield* status(id), yield* status(received)], [200, 400])
      yield* pass(provider, 23 * day)
      assert.strictEqual(yield* status(id), 400)
      const { id: next } = yield* upload(provider, "image/png", "bytes")
      assert.strictEqual((yield* call(provider, `/${next}`, undefined, "simulator-token", "DELETE")).status, 200)
      assert.strictEqual(yield* status(next), 400)
    })
  )

  it.live("has an address for five minutes", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const { id } = yield* upload(provider, "image/png", "bytes")
      const address = Effect.map(call(provider, `/${id}`), ({ body }) => String(JSON.parse(body).url))
      const url = yield* address
      assert.strictEqual(yield* download(url), 200)
      yield* pass(provider, 5 * 60_000)
      assert.strictEqual(yield* download(url), 404)
      assert.strictEqual(yield* download(yield* address), 200)
    })
  )

  it.live("fails a message of another kind after it was accepted", () =>
    Effect.gen(function* () {
      const provider = yield* simulator({ ...kept, pairMillis: 0 })
      provider.write(phoneId, ada, { type: "text", text: "Hi" })
      const { id } = yield* upload(provider, "image/png", "bytes")
      const link = "https://scontent.whatsapp.net/v/1.jpg"
      for (const more of [
        { type: "video", video: { id } },
        { type: "image", image: { link } },
        { type: "audio", audio: { id, voice: true } },
        { type: "image", image: { id } }
      ]) {
        assert.strictEqual((yield* call(provider, sendPath, text(ada, { text: undefined, ...more }))).status, 200)
      }
      yield* pass(provider, 50)
      assert.deepStrictEqual(statesOf(provider), ["failed 131053", "failed 131053", "failed 131053", "sent"])
    })
  )
})

describe("A resumable upload", () => {
  const start = (provider: RunningChatSimulator, app = defaultApp.appId) =>
    call(provider, `/${app}/uploads?file_name=a.png&file_length=6&file_type=image/png`, {})

  const append = (provider: RunningChatSimulator, id: string, offset: number, bytes: string) =>
    Effect.promise(async () => {
      const headers = { authorization: "OAuth simulator-token", file_offset: String(offset) }
      const response = await fetch(`${provider.url}/v27.0/${id}`, { method: "POST", headers, body: bytes })
      return { status: response.status, body: await response.text() }
    })

  it.live("continues at its offset, and ends with a handle", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const id = String(JSON.parse((yield* start(provider)).body).id)
      assert.match(id, /^upload:[\w-]+\?sig=/u)
      yield* append(provider, id, 0, "abc")
      assert.include((yield* call(provider, `/${id}`)).body, '"file_offset":3')
      assert.strictEqual((yield* append(provider, id, 0, "abc")).status, 400)
      assert.strictEqual((yield* append(provider, id, 3, "defg")).status, 400)
      assert.match((yield* append(provider, id, 3, "def")).body, /"h":"4::/u)
    })
  )

  it.live("belongs to the app of its token", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      assert.deepStrictEqual(
        yield* Effect.map(start(provider, "300000000000002"), ({ code, status }) => [status, code]),
        [403, 10]
      )
    })
  )
})
