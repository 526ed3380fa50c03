import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { HttpClient, type HttpServer, HttpServerRequest } from "effect/http"
import { createServer } from "node:http"
import { makeControlApi } from "./controlApi.ts"
import { makeGraphApi } from "./graphApi.ts"
import { type DeliveryMisbehaviour, makeScript, type Misbehaviour } from "./Misbehaviour.ts"
import type { ChatSimulatorOptions, SimulatedNumber, Webhook } from "./Options.ts"
import { makeOutbox } from "./Outbox.ts"
import { type CustomerMessage, makeSimulation, type Writing } from "./Simulation.ts"
import { refuseCrossSite } from "../crossSite.ts"
import { makeTimeline } from "../Timeline.ts"
import { type AcceptedMessage, makeWorld, type MessageCall, type RefusedMessage, type SentDelivery } from "./World.ts"

/** Running simulator for code in the same process. Other processes use `/simulator`. */
export interface RunningChatSimulator {
  /** Where it is reached: `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly setWebhook: (webhook: Webhook | null, businessId?: string) => void
  readonly addNumber: (number: SimulatedNumber) => void
  /** Adds a customer with or without a phone number; returns the id for sending as or to the customer. */
  readonly addCustomer: (phone: string | null, name?: string) => string
  readonly setReachable: (customer: string, reachable: boolean) => void
  /** Sends a message from a customer; returns the provider's message id. A new phone number creates a customer. */
  readonly write: (phoneId: string, customer: string, message: CustomerMessage, writing?: Writing) => string
  /** Has the business write in the provider's own app; the provider's id of the message. */
  readonly echo: (phoneId: string, customer: string, message: CustomerMessage) => string
  readonly prefer: (phoneId: string, customer: string, marketing: "stop" | "resume") => void
  readonly decide: (businessId: string, name: string, language: string, event: string, reason?: string) => void
  /** Tells a business account something else. */
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

const existing = <A>(what: string, key: string, value: A | undefined): A => {
  if (value === undefined) throw new Error(`The simulator has no ${what} ${key}.`)
  return value
}

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
    const world = makeWorld(options)
    const timeline = yield* makeTimeline(clock, options.startAt)
    const outbox = yield* makeOutbox(world, timeline, client, {
      webhook: options.webhook ?? null,
      attempts: options.attempts ?? 10
    })
    const script = makeScript()
    const simulation = makeSimulation(world, timeline, outbox, options)
    const control = makeControlApi(world, timeline, outbox, simulation, script, client)
    const graph = makeGraphApi(world, simulation, script)

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
      return isControl ? control(request, address) : graph(request, address)
    })
    // The server runs its handlers uninterruptibly. A hanging call must end with its connection.
    yield* server.serve(Effect.interruptible(answer))

    const numberOf = (phoneId: string) => existing("number", phoneId, world.numbers.get(phoneId))
    const customerOf = (key: string) =>
      existing(
        "customer",
        key,
        world.findCustomer(key) ?? (/^\+?\d+$/u.test(key) ? world.addCustomer(key.replace(/^\+/u, "")) : undefined)
      )

    return {
      url,
      setWebhook: (webhook, businessId) => {
        if (businessId === undefined) outbox.setDefault(webhook)
        else if (webhook === null) world.webhooks.delete(businessId)
        else world.webhooks.set(businessId, webhook)
      },
      addNumber: world.addNumber,
      addCustomer: (phone, name) => {
        const { userId } = world.addCustomer(phone?.replace(/^\+/u, "") ?? null, name)
        return phone ?? userId
      },
      setReachable: (customer, reachable) => {
        customerOf(customer).reachable = reachable
      },
      write: (phoneId, customer, message, writing) =>
        simulation.write(numberOf(phoneId), customerOf(customer), message, writing),
      echo: (phoneId, customer, message) => simulation.echo(numberOf(phoneId), customerOf(customer), message),
      prefer: (phoneId, customer, marketing) => simulation.prefer(numberOf(phoneId), customerOf(customer), marketing),
      decide: (businessId, name, language, event, reason = "NONE") => {
        const key = JSON.stringify([businessId, name, language])
        simulation.decide(existing("template", key, world.templates.get(key)), event, reason)
      },
      tell: (businessId, field, value) => outbox.tell({ businessId, field, value }),
      addSignupCode: (code, businessId, accessToken) => {
        world.grant(accessToken, businessId)
        world.signupCodes.set(code, accessToken)
      },
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
