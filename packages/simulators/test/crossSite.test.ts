import { assert, describe, it } from "@effect/vitest"
import { startSmtpServer } from "@parley/simulators/mail"
import { Effect } from "effect"
import { request as httpRequest } from "node:http"
import { connect } from "node:net"
import { phoneId, simulator as chatSimulator } from "./chat/harness.ts"
import { authorizeUrl, domain, simulator as storeSimulator } from "./store/harness.ts"

interface Sent {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Unlike `fetch`, this sends headers that are reserved for browsers. */
const send = (url: string, { body, headers, method = "POST" }: Sent) =>
  Effect.callback<{ readonly status: number; readonly location: string | undefined }>((resume) => {
    const request = httpRequest(url, { method, headers: { ...headers, connection: "close" } }, (response) => {
      response
        .resume()
        .on("end", () =>
          resume(Effect.succeed({ status: response.statusCode ?? 0, location: response.headers.location }))
        )
    })
    request.end(body)
  })

const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }

describe("simulators reject requests from pages of other sites", () => {
  it.live("the chat provider accepts writes from programs and its own pages only", () =>
    Effect.gen(function* () {
      const { calls, url } = yield* chatSimulator()
      const place = `${url}/simulator/write`
      const body = JSON.stringify({ phoneId, from: "+15551239999", message: { type: "text", text: "Hello" } })
      const own = new URL(url).origin
      for (const headers of [
        { ...json, origin: "https://evil.example" },
        { ...json, host: "evil.example", origin: "http://evil.example" },
        { ...json, origin: "null" },
        { ...json, "sec-fetch-site": "cross-site" },
        { ...json, "sec-fetch-site": "same-site" }
      ]) {
        assert.strictEqual((yield* send(place, { headers, body })).status, 403, JSON.stringify(headers))
      }
      for (const headers of [form, { "content-type": "text/plain" }, {}]) {
        assert.strictEqual((yield* send(place, { headers, body })).status, 415, JSON.stringify(headers))
      }
      for (const headers of [json, { ...json, origin: own, "sec-fetch-site": "same-origin" }]) {
        assert.notInclude([403, 415], (yield* send(place, { headers, body })).status)
      }
      const erased = yield* send(`${url}/simulator/log`, {
        method: "DELETE",
        headers: { origin: "https://evil.example" }
      })
      assert.strictEqual(erased.status, 403)
      const message = yield* send(`${url}/v23.0/${phoneId}/messages`, {
        headers: { ...json, origin: "https://evil.example" },
        body: "{}"
      })
      assert.strictEqual(message.status, 403)
      assert.lengthOf(calls(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("requests that control a simulator need a name of this machine", () =>
    Effect.gen(function* () {
      for (const { url } of [yield* chatSimulator(), yield* storeSimulator()]) {
        const { port } = new URL(url)
        const log = Effect.fnUntraced(function* (method: string, host: string) {
          return (yield* send(`${url}/simulator/log`, { method, headers: { host } })).status
        })
        for (const method of ["GET", "HEAD", "DELETE"]) {
          assert.strictEqual(yield* log(method, "evil.example"), 403, method)
          assert.strictEqual(yield* log(method, `localhost.evil.example:${port}`), 403, method)
        }
        for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
          assert.notStrictEqual(yield* log("GET", `${host}:${port}`), 403, host)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("the store provider grants nothing because of a link", () =>
    Effect.gen(function* () {
      const running = yield* storeSimulator()
      const act = { headers: { ...form, "sec-fetch-site": "cross-site" }, body: "kind=order" }
      assert.strictEqual((yield* send(`${running.url}/simulator/act`, act)).status, 403)
      const link = `${authorizeUrl(running)}&decision=agree`
      const followed = yield* send(link, { method: "GET", headers: { "sec-fetch-site": "cross-site" } })
      assert.deepStrictEqual([followed.status, followed.location], [200, undefined])
      const agreed = yield* send(link, { method: "GET", headers: { "sec-fetch-site": "same-origin" } })
      assert.include(agreed.location ?? "", `shop=${domain}`)
    }).pipe(Effect.scoped)
  )

  it.live("the mail server disconnects a browser, because a form can contain an email", () =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      const mail = [
        "EHLO x",
        "MAIL FROM:<a@b.example>",
        "RCPT TO:<c@d.example>",
        "DATA",
        "Subject: Hi",
        "",
        "x",
        ".",
        ""
      ]
      const post = ["POST / HTTP/1.1", "Host: 127.0.0.1", "Content-Type: text/plain", "", ...mail].join("\r\n")
      yield* Effect.callback<void>((resume) => {
        const socket = connect(server.port, "127.0.0.1", () => socket.write(post))
        socket.on("error", () => {}).on("close", () => resume(Effect.void))
        socket.resume()
      })
      assert.deepStrictEqual([server.received(), server.commands()], [[], []])
    }).pipe(Effect.scoped)
  )
})
