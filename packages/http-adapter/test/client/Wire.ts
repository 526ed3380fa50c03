import type { Ports } from "@parley/domain/composition"
import { MemoryStores, TestKit } from "@parley/testkit"
import { Context, Effect, Layer, type Scope } from "effect"
import { FetchHttpClient, HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import { ServerConfig, settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import { roomySettings } from "../harness/service.ts"

/** A request that left the client. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Headers
}

/** Effect on a request: `pass` forwards it. */
export type Fault = (pass: () => Promise<Response>) => Promise<Response>

/** The connection between a client and the service: it records the traffic and fails as instructed. */
export class Wire extends Context.Service<
  Wire,
  {
    readonly sent: Array<Sent>
    /** Applies this effect to the next request to the path. */
    readonly breakNext: (path: string, fault: Fault) => void
    /** Whether the service is at work on a request, so that the test's time must not pass it by. */
    readonly isBusy: () => boolean
  }
>()("@parley/http-adapter/test/client/Wire") {}

/** The request arrives, and its answer does not. */
export const loseAnswer: Fault = async (pass) => {
  await pass()
  throw new TypeError("fetch failed")
}

/** The request does not arrive. */
export const refuse: Fault = () => Promise.reject(new TypeError("fetch failed"))

/** An intermediary answers instead of the service. */
export const answer =
  (status: number, headers: Record<string, string> = {}, body: string | null = null): Fault =>
  () =>
    Promise.resolve(new Response(body, { status, headers }))

/** URL of the service of these tests. */
export const baseUrl = "http://parley.test"

const layerWire = Layer.effectContext(
  Effect.gen(function* () {
    const config = Layer.succeed(ServerConfig, settings({ ...roomySettings, accessLog: false, baseUrl }))
    const app = yield* HttpRouter.toHttpEffect(Server.apiRoutes.pipe(Layer.provide(config))).pipe(
      Effect.provideService(HttpRouter.RouterConfig, Server.routing)
    )
    const handle = HttpEffect.toWebHandlerWith<Ports, Ports | HttpServerRequest.HttpServerRequest | Scope.Scope>(
      yield* Effect.context<Ports>()
    )(app)
    const sent: Array<Sent> = []
    let working = 0
    const faults: Array<{ readonly path: string; readonly fault: Fault }> = []

    const carry = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(url, init)
      const path = new URL(request.url).pathname
      sent.push({ method: request.method, path, headers: request.headers })
      const index = faults.findIndex((one) => one.path === path)
      const [broken] = index === -1 ? [] : faults.splice(index, 1)
      const pass = () => {
        working += 1
        return handle(request).finally(() => {
          working -= 1
        })
      }
      return broken === undefined ? pass() : broken.fault(pass)
    }

    return Context.make(Wire, {
      sent,
      breakNext: (path, fault) => faults.push({ path, fault }),
      isBusy: () => working > 0
    }).pipe(Context.add(FetchHttpClient.Fetch, carry))
  })
)

/** A service in this process, in the test's own time, and an `HttpClient` for it. */
export const layer = FetchHttpClient.layer.pipe(
  Layer.provideMerge(layerWire),
  Layer.provideMerge(Layer.mergeAll(TestKit.layer, MemoryStores.layer)),
  Layer.provide(HttpServer.layerServices)
)
