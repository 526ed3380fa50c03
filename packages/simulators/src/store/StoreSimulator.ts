import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { HttpClient, type HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { isCrossSite, refuseCrossSite } from "../crossSite.ts"
import { makeTimeline } from "../Timeline.ts"
import type { Action } from "./Action.ts"
import { makeAdminApi } from "./adminApi.ts"
import { apiVersionIn, defaultApiVersion, makeSchemas } from "./apiVersions.ts"
import { type Books, makeBooks } from "./books.ts"
import { decide, makeControlApi } from "./controlApi.ts"
import { type DeliveryMisbehaviour, makeScript, type Misbehaviour } from "./Misbehaviour.ts"
import { makeOauthApi } from "./oauthApi.ts"
import type { SimulatedShop, StoreSimulatorOptions } from "./Options.ts"
import { makeOutbox } from "./Outbox.ts"
import { makeSimulation } from "./Simulation.ts"
import { makeTraffic } from "./traffic.ts"
import { makeWorld, type StoreCall, type StoreDelivered } from "./World.ts"

/** Running simulator for code in the same process. Other processes use `/simulator`. */
export interface RunningStoreSimulator {
  /** Base URL: `http://127.0.0.1:<port>`. A shop is at its domain below it. */
  readonly url: string
  readonly addShop: (shop: SimulatedShop) => void
  /** Triggers an event in a shop. Returns the id of its subject. */
  readonly act: (action: Action) => number
  /** Runs this number of automatic customer actions in a shop. */
  readonly turns: (shop: string, count: number) => void
  /** Accepts or denies an app's authorization request; returns the redirect URL. */
  readonly decide: (authorizeUrl: string, agreed: boolean) => string
  /** Records that an adapter must read from a shop. */
  readonly books: (shop: string) => Books
  /** Topics that a shop reports, with their targets. */
  readonly subscriptions: (shop: string) => ReadonlyArray<{ readonly topic: string; readonly uri: string }>
  readonly scopes: (shop: string) => ReadonlyArray<string> | null
  readonly misbehave: (rule: Misbehaviour) => void
  readonly misdeliver: (rule: DeliveryMisbehaviour) => void
  readonly behave: () => void
  readonly advance: (millis: number) => void
  readonly now: () => number
  /** Whether nothing is left to happen, and every delivery was answered or given up. */
  readonly isIdle: () => boolean
  /** Whether all due tasks are done and every sent delivery has a response. */
  readonly isUpToDate: () => boolean
  readonly calls: () => ReadonlyArray<StoreCall>
  readonly deliveries: () => ReadonlyArray<StoreDelivered>
}

/** The provider of stores, simulated: its own protocol over HTTP. */
export class StoreSimulator extends Context.Service<StoreSimulator, RunningStoreSimulator>()(
  "@parley/simulators/store/StoreSimulator"
) {}

const addressOf = (server: HttpServer.HttpServer["Service"], host: string) =>
  "port" in server.address ? `http://${host}:${server.address.port}` : `http://${host}`

const notFound = HttpServerResponse.jsonUnsafe({ errors: "Not Found" }, { status: 404 })

/** Starts a simulator that stops with the scope. Default: the real clock. */
export const startStoreSimulator = (
  options: StoreSimulatorOptions = {}
): Effect.Effect<RunningStoreSimulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const host = options.host ?? "127.0.0.1"
    const clock = options.clock ?? Clock.Clock.defaultValue()
    const client = Context.get(yield* Layer.build(NodeHttpClient.layerUndici), HttpClient.HttpClient)
    const timeline = yield* makeTimeline(clock, options.startAt)
    const world = makeWorld(options, timeline.now())
    const outbox = yield* makeOutbox(
      world,
      timeline,
      client,
      options.attempts ?? 9,
      options.apiVersion ?? defaultApiVersion
    )
    const script = makeScript()
    const simulation = makeSimulation(world, timeline, outbox)
    const traffic = makeTraffic(world, timeline, simulation)
    if (options.trafficMillis !== undefined) traffic.every(options.trafficMillis)
    const oauth = makeOauthApi(world, timeline, script)
    const control = makeControlApi(world, timeline, outbox, simulation, script, oauth)
    const admin = makeAdminApi(makeSchemas(), world, timeline, simulation, script, options.bulkMillis ?? 200)

    const listener = createServer()
    const server = yield* NodeHttpServer.make(() => listener, {
      host,
      port: options.port ?? 0,
      disablePreemptiveShutdown: true
    })
    // Calls that were scripted to hang would keep it from stopping.
    yield* Effect.addFinalizer(() => Effect.sync(() => listener.closeAllConnections()))
    const url = addressOf(server, host)

    const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const address = new URL(request.url, url)
      const isControl = address.pathname.startsWith("/simulator/")
      const refusal = refuseCrossSite(request, isControl)
      if (refusal !== null) return Effect.succeed(refusal)
      if (isControl) return control(request, address)
      const [, domain = "", ...path] = address.pathname.split("/").map(decodeURIComponent)
      const shop = world.shopAt(domain)
      if (shop === null) return Effect.succeed(notFound)
      const place = `${request.method} ${path.join("/")}`
      if (place === "GET admin/oauth/authorize") {
        // A browser that follows a link of another site always gets the consent page.
        if (isCrossSite(request)) address.searchParams.delete("decision")
        return Effect.sync(() => oauth.page(shop, address.searchParams))
      }
      if (place === "POST admin/oauth/access_token") return oauth.token(request, shop)
      const [, called] = /^POST admin\/api\/(\d{4}-\d{2})\/graphql\.json$/u.exec(place) ?? []
      if (called !== undefined) {
        const version = apiVersionIn(called)
        return version === null ? Effect.succeed(notFound) : admin.graphql(request, shop, version, url)
      }
      const [, file] = /^GET bulk\/(\d{1,15})\.jsonl$/u.exec(place) ?? []
      return file === undefined ? Effect.succeed(notFound) : admin.file(request, shop, Number(file))
    })
    // The server runs its handlers uninterruptibly. A hanging call must end with its connection.
    yield* server.serve(Effect.interruptible(answer))

    return {
      url,
      addShop: world.addShop,
      act: simulation.act,
      turns: (shop, count) => {
        for (let turn = 0; turn < count; turn += 1) traffic.turn(simulation.shopOf(shop))
      },
      decide: (authorizeUrl, agreed) => decide(world, oauth, authorizeUrl, agreed),
      books: (shop) => makeBooks(simulation.shopOf(shop)),
      subscriptions: (shop) => simulation.shopOf(shop).subscriptions,
      scopes: (shop) => simulation.shopOf(shop).installation?.scopes ?? null,
      misbehave: script.add,
      misdeliver: outbox.misbehave,
      behave: () => {
        script.clear()
        outbox.misbehave({})
      },
      advance: timeline.advance,
      now: timeline.now,
      isIdle: () => timeline.pending() === 0 && outbox.idle(),
      isUpToDate: () => !timeline.isDue() && outbox.idle(),
      calls: () => world.calls,
      deliveries: () => world.deliveries
    } satisfies RunningStoreSimulator
  }).pipe(
    Effect.updateService(Clock.Clock, () => options.clock ?? Clock.Clock.defaultValue()),
    Effect.orDie
  )

/** A simulator as a layer. */
export const layer = (options: StoreSimulatorOptions = {}): Layer.Layer<StoreSimulator> =>
  Layer.effect(StoreSimulator, startStoreSimulator(options))
