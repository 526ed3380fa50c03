import { Effect } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { fileURLToPath } from "node:url"
import { launch } from "../../servers/launch.ts"
import { Seen, type Settings } from "./Settings.ts"

/** The provider in a separate process, which receives its behaviour and returns its log. */
export const startMock = Effect.gen(function* () {
  const entry = fileURLToPath(new URL("main.ts", import.meta.url))
  const { pid, url } = yield* launch({ name: "provider", entry, env: {} })
  const client = yield* HttpClient.HttpClient
  const ask = (request: HttpClientRequest.HttpClientRequest) =>
    client.execute(request).pipe(Effect.flatMap(HttpClientResponse.schemaBodyJson(Seen)))
  return {
    pid,
    url,
    /** From now on. The log is cleared. */
    behave: (settings: Settings) =>
      ask(HttpClientRequest.post(`${url}/bench/settings`).pipe(HttpClientRequest.bodyJsonUnsafe(settings))),
    seen: ask(HttpClientRequest.get(`${url}/bench/seen`))
  }
})

export type Mock = Effect.Success<typeof startMock>
