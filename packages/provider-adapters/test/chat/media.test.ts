import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer as whatsApp, type WhatsAppOptions } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { Effect, Layer, Stream } from "effect"
import { settingsOf } from "../../src/chat/whatsapp/Graph.ts"
import { isOfProvider } from "../../src/chat/whatsapp/media.ts"
import { line } from "./simulated.ts"
import { answering, type Behaviour, listening } from "./sockets.ts"

const described = (url: string, size = 5) => JSON.stringify({ url, mime_type: "image/png", file_size: size, id: "1" })

const downloading = (baseUrl: string, options: WhatsAppOptions = {}, most = 1_000) =>
  Effect.gen(function* () {
    const channel = yield* MemoryChat.whole
    const { bytes } = yield* channel.media.download(line, "1", most)
    return Buffer.concat(yield* Stream.runCollect(bytes)).toString()
  }).pipe(
    Effect.provide(
      whatsApp({ baseUrl, timeout: "20 seconds", fileTimeout: 300, ...options }).pipe(
        Layer.provide(NodeHttpClient.layerUndici)
      )
    )
  )

const hosts = [
  "127.0.0.1",
  "localhost",
  "2130706433",
  "0177.0.0.1",
  "0x7f.1",
  "127.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "169.254.169.254",
  "100.64.0.1",
  "10.0.0.1",
  "192.168.1.1",
  "0.0.0.0",
  "evil.test",
  "fbsbx.com.evil.test",
  "evilfbsbx.com",
  "fbsbx.com@127.0.0.1",
  "user:pass@lookaside.fbsbx.com",
  "lookaside.fbsbx.com.",
  "ⓕbsbx.com.localhost",
  "lookaside.fbsbx.com:8443",
  "lookaside.fbsbx.com%2eevil.test",
  "lookaside.fbsbx.com\u3002evil.test",
  "xn--fbsbx-upa.com",
  "fbsbx.com:443@127.0.0.1",
  "fbsbx.com%00.evil.test",
  "fbsbx.com%23.evil.test",
  "0x7f000001",
  "017700000001",
  "[::127.0.0.1]",
  "[fd00:ec2::254]",
  "metadata.google.internal",
  "127.0.0.1.nip.io",
  "１２７.0.0.1"
]

const addresses = (port: string) => [
  ...hosts.flatMap((host) => [
    `http://${host}/`,
    `https://${host}/x`,
    `http://${host}:${port}/`,
    `https://${host}:${port}/`,
    `ftp://${host}/`,
    `HTTPS://${host}:${port}/?x=https://lookaside.fbsbx.com/`,
    `https:\\\\${host}:${port}\\`,
    `//${host}:${port}/`
  ]),
  "http://lookaside.fbsbx.com/",
  "file:///etc/passwd",
  "data:text/plain,x",
  "javascript:1",
  "lookaside.fbsbx.com/x",
  "",
  "https://",
  "https://#@lookaside.fbsbx.com"
]

// Only these of the list are the provider's in truth; they are not called.
const isFine = (address: string) => /^https:(?:\/\/|\\\\)(?:lookaside\.fbsbx\.com)\/x$/iu.test(address)

/** A provider on this machine that also stores the file, with its behaviour for file requests. */
const providing = (file: Behaviour, size = 5) => {
  let url = ""
  return listening((socket, request) => {
    const behave = request.startsWith("GET /f ") ? file : answering(200, described(`${url}/f`, size))
    behave(socket, request)
  }).pipe(
    Effect.tap((server) =>
      Effect.sync(() => {
        url = server.url
      })
    )
  )
}

describe("A file that came in", () => {
  it.live("is fetched from no host but the provider's, and the token goes nowhere else", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "secret"))
      const port = new URL(canary.url).port
      const hostile = addresses(port).filter((address) => !isFine(address))
      assert.isAtLeast(hostile.length, 280)
      let next = ""
      const api = yield* listening((socket, request) => answering(200, described(next))(socket, request))
      for (const address of hostile) {
        next = address
        const error = yield* Effect.flip(downloading(api.url))
        assert.include(["ChannelRefused", "ChannelUnreachable"], error._tag, address)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.live("is not fetched where a host of the provider has an address that is not public", () =>
    Effect.gen(function* () {
      const api = yield* listening((socket, request) =>
        answering(200, described("https://lookaside.fbsbx.com/x"))(socket, request)
      )
      for (const address of ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]) {
        const asked: Array<string> = []
        const error = yield* Effect.flip(
          downloading(api.url, {
            lookup: (hostname, _, found) => {
              asked.push(hostname)
              found(null, [{ address, family: address.includes(":") ? 6 : 4 }])
            }
          })
        )
        assert.strictEqual(error._tag, "ChannelUnreachable")
        assert.deepStrictEqual(asked, ["lookaside.fbsbx.com"])
      }
    })
  )

  it.live("comes from this machine where that is allowed, with the token", () =>
    Effect.gen(function* () {
      const api = yield* providing(answering(200, "bytes"))
      assert.strictEqual(yield* downloading(api.url, { loopbackMedia: true }), "bytes")
      assert.match(api.requests[1] ?? "", /authorization: Bearer EAAsimulatortoken/u)
    })
  )

  it.live("comes from nowhere on this machine but where the provider itself is", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "secret"))
      const { port } = new URL(canary.url)
      let next = ""
      const api = yield* listening((socket, request) => answering(200, described(next))(socket, request))
      const own = new URL(api.url).port
      const elsewhere = ["127.0.0.1", "localhost", "[::1]", "127.1", "2130706433"].flatMap((host) => [
        `http://${host}:${port}/`,
        `https://${host}:${port}/`,
        `http://user@${host}:${port}/`,
        `http://127.0.0.1:${own}@${host}:${port}/`,
        `http://${host}/`
      ])
      for (const address of [...elsewhere, `https://127.0.0.1:${own}/`, `http://localhost:${own}/f`]) {
        next = address
        const error = yield* Effect.flip(downloading(api.url, { loopbackMedia: true }))
        assert.include(error, { _tag: "ChannelRefused", code: 131_052 }, address)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.live("comes in plain HTTP from nowhere where the provider is on another machine", () =>
    Effect.sync(() => {
      for (const baseUrl of ["http://provider.test:4010", "http://10.0.0.1:4010", "http://127.0.0.1.nip.io:4010"]) {
        const settings = settingsOf({ baseUrl, loopbackMedia: true })
        for (const address of [`${baseUrl}/f`, "http://127.0.0.1:4010/f"]) {
          assert.isFalse(isOfProvider(address, settings), address)
        }
      }
    })
  )

  it.live("is cut off where it is larger than was said", () =>
    Effect.gen(function* () {
      const api = yield* providing(answering(200, "x".repeat(200_000)))
      const error = yield* Effect.flip(downloading(api.url, { loopbackMedia: true }, 1_000))
      assert.include(error, { _tag: "ChannelRefused", code: 131_052 })
    })
  )

  it.live("is refused where it is gone, and was not reached where its host has no time", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      for (const status of [404, 410, 403, 401, 408, 429, 500, 503]) {
        const api = yield* providing(answering(status, ""))
        const error = yield* Effect.flip(downloading(api.url, { loopbackMedia: true }))
        seen.push([status, error._tag === "ChannelRefused" ? error.remedy : error._tag])
      }
      assert.deepStrictEqual(seen, [
        [404, "reauthorize"],
        ...[410, 403].map((status) => [status, "give_up"]),
        ...[401, 408, 429, 500, 503].map((status) => [status, "ChannelUnreachable"])
      ])
    })
  )

  it.live("is fetched from a new address when the first one has expired", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      let url = ""
      const api = yield* listening((socket, request) => {
        const path = request.split(" ")[1] ?? ""
        asked.push(path.split("?")[0] ?? "")
        if (path === "/old") return answering(404, "")(socket, request)
        if (path === "/new") return answering(200, "bytes")(socket, request)
        const next = asked.length === 1 ? "old" : "new"
        return answering(200, described(`${url}/${next}`))(socket, request)
      })
      url = api.url
      assert.strictEqual(yield* downloading(api.url, { loopbackMedia: true }), "bytes")
      assert.deepStrictEqual(asked, ["/v27.0/1", "/old", "/v27.0/1", "/new"])
    })
  )

  it.live("is not fetched through a redirect", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "elsewhere"))
      const api = yield* providing(answering(302, "", [`location: ${canary.url}/`]))
      const error = yield* Effect.flip(downloading(api.url, { loopbackMedia: true }))
      assert.strictEqual(error._tag, "ChannelRefused")
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.live("is given up where it comes too slowly to ever end", () =>
    Effect.gen(function* () {
      const api = yield* providing((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        const timer = setInterval(() => socket.write("x"), 10)
        socket.on("close", () => clearInterval(timer))
      })
      const error = yield* Effect.flip(
        downloading(api.url, { loopbackMedia: true, fileTimeout: "1 minute", fileDeadline: 200 }, 1_000_000)
      )
      assert.strictEqual(error._tag, "ChannelUnreachable")
    })
  )

  it.live("is given up where it stops coming", () =>
    Effect.gen(function* () {
      const half = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"
      const stopping: Behaviour = (socket) => socket.write(half)
      const breaking: Behaviour = (socket) => socket.end(half)
      for (const behave of [stopping, breaking]) {
        const api = yield* providing(behave)
        const error = yield* Effect.flip(downloading(api.url, { loopbackMedia: true }))
        assert.strictEqual(error._tag, "ChannelUnreachable")
      }
    })
  )
})

describe("A file behind a link", () => {
  it.live("is fetched from public addresses only, and without the token", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "secret"))
      const { port } = new URL(canary.url)
      const fetching = (link: string) =>
        Effect.flatMap(MemoryChat.whole, ({ media }) => media.fetchLink(link, 1_000)).pipe(
          Effect.provide(
            whatsApp({ baseUrl: canary.url, loopbackMedia: true, timeout: "5 seconds" }).pipe(
              Layer.provide(NodeHttpClient.layerUndici)
            )
          )
        )
      for (const host of ["127.0.0.1", "localhost", "[::1]", "127.1", "2130706433", "10.0.0.1", "169.254.169.254"]) {
        const error = yield* Effect.flip(fetching(`http://${host}:${port}/f.png`))
        assert.strictEqual(error._tag, "ChannelUnreachable", host)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )
})
