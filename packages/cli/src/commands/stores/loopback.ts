import { Deferred, Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { ServiceUnusable } from "../../console/Failure.ts"

/** The result of the browser: the one-time code, or the code of a problem. */
const Returned = Schema.fromJsonString(
  Schema.Struct({ code: Schema.NullOr(Schema.String), result: Schema.NullOr(Schema.String) })
)
export type Returned = typeof Returned.Type

const decode = Schema.decodeUnknownOption(Returned)

/** The code is in the fragment, which browsers send to no server. The page posts it back. */
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley</title><p id="text">One moment...</p><script>
const code = new URLSearchParams(location.hash.slice(1)).get("code")
const result = new URLSearchParams(location.search).get("result")
history.replaceState(null, "", location.pathname)
const say = (text) => { document.getElementById("text").textContent = text }
fetch(location.pathname, { method: "POST", body: JSON.stringify({ code, result }) }).then(
  () => say("You can close this page and go back to the terminal."),
  () => say("The command has ended. Run it again.")
)
</script></html>`

const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; connect-src 'self'",
  "referrer-policy": "no-referrer"
}

const maxBytes = 8_192

const bodyOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const piece of request) {
    text += String(piece)
    if (text.length > maxBytes) return ""
  }
  return text
}

/**
 * Listens on the loopback interface for the browser that returns from a shop (RFC 8252, 7.3). The path is random, and the host must be the loopback
 * address. Other sites cannot reach it.
 */
export const listenForReturn = Effect.gen(function* () {
  const returned = yield* Deferred.make<Returned>()
  const path = `/${randomBytes(16).toString("base64url")}`
  const address = { host: "" }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = URL.canParse(request.url ?? "", "http://loopback")
      ? new URL(request.url ?? "", "http://loopback")
      : null
    if (request.headers.host !== address.host || url?.pathname !== path) {
      response.writeHead(404).end()
      return
    }
    if (request.method === "GET") {
      response.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" }).end(page)
      return
    }
    const body = decode(await bodyOf(request))
    if (request.method !== "POST" || Option.isNone(body)) {
      response.writeHead(400).end()
      return
    }
    response.writeHead(204, headers).end()
    Deferred.doneUnsafe(returned, Effect.succeed(body.value))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, ServiceUnusable>((resume) => {
      server
        .on("error", () => {
          resume(
            Effect.fail(
              new ServiceUnusable({
                message:
                  "No port is free on 127.0.0.1 for the browser to return to. Repeat the command with --finish paste."
              })
            )
          )
        })
        .listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const bound = server.address()
  address.host = `127.0.0.1:${bound !== null && typeof bound === "object" ? bound.port : 0}`
  return { returnTo: `http://${address.host}${path}`, returned: Deferred.await(returned) }
})
