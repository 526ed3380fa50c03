import type { Ports } from "@parley/domain"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import { Server, ServerConfig, type ServerSettings, settings } from "../../src/server/index.ts"

/** What a test sends. */
export interface Call {
  readonly token?: string | Redacted.Redacted
  readonly organization?: string
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Record<string, string>
}

/** What came back, with a JSON body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

const readBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const tokenText = (token: string | Redacted.Redacted) => (Redacted.isRedacted(token) ? Redacted.value(token) : token)

const requestOf = (method: string, path: string, call: Call): Request => {
  const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  return new Request(`http://parley.test${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(call.token !== undefined && { authorization: `Bearer ${tokenText(call.token)}` }),
      ...(call.organization !== undefined && { "x-organization-id": call.organization }),
      ...call.headers
    },
    ...(body !== undefined && { body })
  })
}

/** The whole service, called as over HTTP but in this process and in the test's own time. */
export class Http extends Context.Service<
  Http,
  { readonly call: (method: string, path: string, call?: Call) => Effect.Effect<Answer> }
>()("@parley/http-adapter/test/Http") {
  /** The service on these ports. */
  static readonly layer = <E>(ports: Layer.Layer<Ports, E>, differing: Partial<ServerSettings> = {}) =>
    Layer.effect(
      Http,
      Effect.gen(function* () {
        const config = Layer.succeed(ServerConfig, settings({ accessLog: false, baseUrl: "http://parley.test", ...differing }))
        const app = yield* HttpRouter.toHttpEffect(Server.apiRoutes.pipe(Layer.provide(config)))
        return Http.of({
          call: (method, path, call = {}) =>
            Effect.flatMap(Effect.context(), (context) =>
              Effect.promise(async () => {
                const response = await HttpEffect.toWebHandlerWith(context)(app)(requestOf(method, path, call))
                const text = await response.text()
                const isJson = response.headers.get("content-type")?.includes("json") === true
                return { status: response.status, headers: response.headers, text, body: isJson ? readBody(text) : {} }
              })
            )
        })
      })
    ).pipe(Layer.provideMerge(ports), Layer.provide(HttpServer.layerServices))
}

/** Calls the service under test. */
export const call = (method: string, path: string, what?: Call) => Effect.flatMap(Http, (http) => http.call(method, path, what))
