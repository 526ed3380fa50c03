import type { Ports } from "@parley/domain/composition"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { ServerConfig, type ServerSettings, settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import { noteExchange } from "./Evidence.ts"

/** Request of a test. */
export interface Call {
  readonly token?: string | Redacted.Redacted | undefined
  readonly organization?: string | undefined
  readonly body?: unknown
  readonly text?: string
  /** The raw body, sent unchanged. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

/** Received answer, with the parsed JSON body. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

const readBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const tokenText = (token: string | Redacted.Redacted) => (Redacted.isRedacted(token) ? Redacted.value(token) : token)

/** Request in the form of `fetch`. */
export const requestOf = (method: string, url: string, call: Call): Request => {
  const body = call.bytes ?? call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  return new Request(url, {
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

const decoders: ReadonlyMap<string | null, (bytes: Uint8Array) => Uint8Array> = new Map([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync]
])

/** Reads a body in its encoding, as `fetch` does over a network. */
const textOf = async (response: Response) => {
  const decode = decoders.get(response.headers.get("content-encoding"))
  return decode === undefined
    ? await response.text()
    : new TextDecoder().decode(decode(new Uint8Array(await response.arrayBuffer())))
}

/** Received answer, read to its end. */
export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await textOf(response)
  const isJson = text !== "" && /\bjson|\+json/u.test(response.headers.get("content-type") ?? "")
  return { status: response.status, headers: response.headers, text, body: isJson ? readBody(text) : {} }
}

type Needs = Ports | HttpServerRequest.HttpServerRequest | Scope.Scope

/** The whole service, called as over HTTP but in this process and in the test's own time. */
export class Http extends Context.Service<
  Http,
  { readonly call: (method: string, path: string, call?: Call) => Effect.Effect<Answer> }
>()("@parley/http-adapter/test/Http") {
  /** The service on these ports. */
  static readonly layer = <Provides, E>(
    ports: Layer.Layer<Ports | Provides, E>,
    differing: Partial<ServerSettings> = {}
  ) =>
    Layer.effect(
      Http,
      Effect.gen(function* () {
        const config = Layer.succeed(
          ServerConfig,
          settings({ accessLog: false, baseUrl: "http://parley.test", ...differing })
        )
        const app = yield* HttpRouter.toHttpEffect(Server.apiRoutes.pipe(Layer.provide(config))).pipe(
          Effect.provideService(HttpRouter.RouterConfig, Server.routing)
        )
        const own = yield* Effect.context<Ports>()
        // Most calls of a test come from one context, and to put it together with the ports copies all of both.
        const handlers = new WeakMap<Context.Context<never>, (request: Request) => Promise<Response>>()
        const handlerIn = (context: Context.Context<never>) => {
          const known = handlers.get(context)
          if (known !== undefined) return known
          const handler = HttpEffect.toWebHandlerWith<Ports, Needs>(Context.merge(context, own))(app)
          handlers.set(context, handler)
          return handler
        }
        return Http.of({
          call: (method, path, call = {}) =>
            Effect.flatMap(Effect.context(), (context) =>
              Effect.promise(async () => {
                const request = requestOf(method, `http://parley.test${path}`, call)
                const answer = await answerOf(await handlerIn(context)(request))
                noteExchange(path, call.body, answer.status, answer.text, answer.body)
                return answer
              })
            )
        })
      })
    ).pipe(Layer.provideMerge(ports), Layer.provide(HttpServer.layerServices))
}

/** Calls the service under test. */
export const call = (method: string, path: string, what?: Call) =>
  Effect.flatMap(Http, (http) => http.call(method, path, what))
