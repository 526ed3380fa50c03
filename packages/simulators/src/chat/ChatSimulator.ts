import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { HttpClient, type HttpServer, HttpServerRequest } from "effect/http"
import { createServer } from "node:http"
import { makeControlApi } from "./controlApi.ts"
import { makeGraphApi } from "./graphApi.ts"
import { type DeliveryMisbehaviour, makeScript, type Misbehaviour } from "./Misbehaviour.ts"
import type { ChatSimulatorOptions, SimulatedNumber, Webhook } from "./Options.ts"
import { makeOutbox } from "./Outbox.ts"
import type { Act } from "./acts/Act.ts"
import { makeFinder, makePerform } from "./acts/perform.ts"
import { fileAddress } from "./graph/media.ts"
import type { CustomerMessage, Writing } from "./inbound/CustomerMessage.ts"
import { makeSignups, type SessionInfo, type Signup } from "./signups.ts"
import { makeSimulation } from "./Simulation.ts"
import type { NumberStage, NumberState } from "./world/NumberState.ts"
import { refuseCrossSite } from "../crossSite.ts"
import { makeTimeline } from "../Timeline.ts"
import { type AcceptedMessage, makeWorld, type MessageCall, type RefusedMessage, type SentDelivery } from "./World.ts"

/** Running simulator for code in the same process. Other processes use `/simulator`. */
export interface RunningChatSimulator {
  /** Where it is reached: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly setWebhook: (webhook: Webhook | null, businessId?: string) => void
  /** Default: a registered number of a subscribed account. */
  readonly addNumber: (number: SimulatedNumber, stage?: NumberStage) => void
  /** State of a number, with its PIN and verification code. */
  readonly number: (phoneId: string) => Readonly<NumberState>
  /** Adds a customer with or without a phone number; returns the id for sending as or to the customer. */
  readonly addCustomer: (phone: string | null, name?: string) => string
  readonly setReachable: (customer: string, reachable: boolean) => void
  /** Sends a message from a customer; returns the provider's message id. A new phone number creates a customer. */
  readonly write: (phoneId: string, customer: string, message: CustomerMessage, writing?: Writing) => string
  /** Sends a message of the business through the provider's own app; returns the provider's message id. */
  readonly echo: (phoneId: string, customer: string, message: CustomerMessage) => string
  readonly prefer: (phoneId: string, customer: string, marketing: "stop" | "resume") => void
  readonly decide: (businessId: string, name: string, language: string, event: string, reason?: string) => void
  /** Lets something happen at the provider; returns the id of a created message, call or group. */
  readonly act: (act: Act) => string | null
  /** Completes a signup: its code is valid for 30 seconds. The number is neither registered nor subscribed. */
  readonly signUp: (signup: Signup) => SessionInfo
  /** Reports another change to a business account. */
  readonly tell: (businessId: string, field: string, value: unknown) => void
  readonly addSignupCode: (code: string, businessId: string, accessToken: string) => void
  readonly misbehave: (rule: Misbehaviour) => void
  readonly misdeliver: (rule: DeliveryMisbehaviour) => void
  readonly behave: () => void
  readonly advance: (millis: number) => void
  readonly now: () => number
  /** Whether nothing is left to happen, and every delivery was answered or given up. */
  readonly isIdle: () => boolean
  /** Whether all due tasks are done and every sent delivery has a response. */
  readonly isUpToDate: () => boolean
  /** Every call that submitted a message, including scripted failures. */
  readonly calls: () => ReadonlyArray<MessageCall>
  readonly accepted: () => ReadonlyArray<AcceptedMessage>
  readonly refused: () => ReadonlyArray<RefusedMessage>
  readonly deliveries: () => ReadonlyArray<SentDelivery>
}

/** The chat provider, simulated: its own protocol over HTTP. */
export class ChatSimulator extends Context.Service<ChatSimulator, RunningChatSimulator>()(
  "@parley/simulators/chat/ChatSimulator"
) {}

const addressOf = (server: HttpServer.HttpServer["Service"], host: string) =>
  "port" in server.address ? `http://${host}:${server.address.port}` : `http://${host}`

/** Starts a simulator that stops with the scope. Default: the real clock. */
export const startChatSimulator = (
  options: ChatSimulatorOptions = {}
): Effect.Effect<RunningChatSimulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const host = options.host ?? "127.0.0.1"
    const clock = options.clock ?? Clock.Clock.defaultValue()
    const client = Context.get(yield* Layer.build(NodeHttpClient.layerUndici), HttpClient.HttpClient)
    const timeline = yield* makeTimeline(clock, options.startAt)
    const world = makeWorld(options, timeline)
    const outbox = yield* makeOutbox(world, timeline, client, {
      attempts: options.attempts ?? Number.POSITIVE_INFINITY
    })
    const script = makeScript()
    const simulation = makeSimulation(world, timeline, outbox, options, (id) => fileAddress(world, timeline, id))
    const { events, files, life, writing } = simulation
    const signups = makeSignups(world, timeline, events)
    const find = makeFinder(world)
    const perform = makePerform(world, timeline, simulation, find)
    const control = makeControlApi(world, timeline, outbox, simulation, signups, find, perform, script, client)
    const graph = makeGraphApi({ world, timeline, simulation, script, events, files, life, client, options })

    const listener = createServer()
    const server = yield* NodeHttpServer.make(() => listener, {
      host,
      port: options.port ?? 0,
      disablePreemptiveShutdown: true
    })
    // Calls that were scripted to hang would keep it from stopping.
    yield* Effect.addFinalizer(() => Effect.sync(() => listener.closeAllConnections()))
    const url = addressOf(server, host)
    world.origin = url
    const answer = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const address = new URL(request.url, url)
      const isControl = address.pathname.startsWith("/simulator/")
      const refusal = refuseCrossSite(request, isControl)
      if (refusal !== null) return Effect.succeed(refusal)
      return isControl ? control(request, address) : graph(request, address)
    })
    // The server runs its handlers uninterruptibly. A hanging call must end with its connection.
    yield* server.serve(Effect.interruptible(answer))

    return {
      url,
      setWebhook: (webhook, businessId) => {
        if (businessId === undefined) world.defaultWebhook = webhook
        else if (webhook === null) world.webhooks.delete(businessId)
        else world.webhooks.set(businessId, webhook)
      },
      addNumber: world.addNumber,
      number: (phoneId) => world.stateOf(find.number(phoneId)),
      addCustomer: (phone, name) => {
        const { userId } = world.addCustomer(phone?.replace(/^\+/u, "") ?? null, name)
        return phone ?? userId
      },
      setReachable: (customer, reachable) => {
        find.customer(customer).reachable = reachable
      },
      write: (phoneId, customer, message, more) =>
        writing.write(find.number(phoneId), find.customer(customer), message, more),
      echo: (phoneId, customer, message) => writing.echo(find.number(phoneId), find.customer(customer), message),
      prefer: (phoneId, customer, marketing) =>
        simulation.prefer(find.number(phoneId), find.customer(customer), marketing),
      decide: (businessId, name, language, event, reason) =>
        life.decide(find.template(businessId, name, language), event, reason),
      act: perform,
      signUp: signups.signUp,
      tell: (businessId, field, value) => outbox.tell({ businessId, field, value }),
      addSignupCode: signups.addCode,
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
      accepted: () => world.accepted,
      refused: () => world.refused,
      deliveries: () => world.deliveries
    } satisfies RunningChatSimulator
  }).pipe(
    Effect.updateService(Clock.Clock, () => options.clock ?? Clock.Clock.defaultValue()),
    Effect.orDie
  )

/** A simulator as a layer. */
export const layer = (options: ChatSimulatorOptions = {}): Layer.Layer<ChatSimulator> =>
  Layer.effect(ChatSimulator, startChatSimulator(options))
