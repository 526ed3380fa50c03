import { Effect, Struct } from "effect"
import { type HttpClient, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ControlRefused, read } from "./controlBodies.ts"
import { makeVerification } from "./graph/callbacks.ts"
import type { Script } from "./Misbehaviour.ts"
import type { Outbox } from "./Outbox.ts"
import { type Finder, type Perform, Unknown } from "./acts/perform.ts"
import type { Simulation } from "./Simulation.ts"
import type { Signups } from "./signups.ts"
import type { Timeline } from "../Timeline.ts"
import type { Customer, World } from "./World.ts"

const shown = ({ name, phone, reachable, userId }: Customer) => ({ name, phone, reachable, userId })

const notFound = (what: string) => new ControlRefused({ status: 404, reason: `There is no such ${what}.` })

/** API under `/simulator` that scripts the provider and returns the received calls. */
export const makeControlApi = (
  world: World,
  timeline: Timeline,
  outbox: Outbox,
  simulation: Simulation,
  signups: Signups,
  find: Finder,
  perform: Perform,
  script: Script,
  client: HttpClient.HttpClient
) => {
  type Request = HttpServerRequest.HttpServerRequest

  const found = <A>(read: () => A): Effect.Effect<A, ControlRefused> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(read())
      } catch (thrown) {
        if (thrown instanceof Unknown) return Effect.fail(notFound(thrown.what))
        throw thrown
      }
    })

  const actions: Readonly<
    Record<string, (request: Request, query: URLSearchParams) => Effect.Effect<unknown, ControlRefused>>
  > = {
    "POST webhook": (request) =>
      Effect.map(read.webhook(request), ({ appSecret, businessId, url }) => {
        if (businessId === undefined) world.defaultWebhook = { url, appSecret }
        else world.webhooks.set(businessId, { url, appSecret })
        return {}
      }),
    "POST numbers": (request) =>
      Effect.map(read.number(request), ({ stage, ...number }) => {
        world.addNumber(number, stage)
        return { phoneId: number.phoneId }
      }),
    "GET numbers": () =>
      Effect.sync(() => [...world.numbers.values()].map((number) => Struct.omit(number, ["accessToken"]))),
    "POST customers": (request) =>
      Effect.map(read.customer(request), ({ name, phone, reachable }) => {
        const customer = world.addCustomer(phone?.replace(/^\+/u, "") ?? null, name)
        customer.reachable = reachable ?? customer.reachable
        return shown(customer)
      }),
    "POST write": (request) =>
      Effect.gen(function* () {
        const { from, message, phoneId, ...writing } = yield* read.writes(request)
        const id = yield* found(() =>
          simulation.writing.write(find.number(phoneId), find.customer(from), message, writing)
        )
        return { id }
      }),
    "POST echo": (request) =>
      Effect.gen(function* () {
        const { message, phoneId, to } = yield* read.echoes(request)
        return { id: yield* found(() => simulation.writing.echo(find.number(phoneId), find.customer(to), message)) }
      }),
    "POST preference": (request) =>
      Effect.gen(function* () {
        const { from, marketing, phoneId } = yield* read.prefers(request)
        yield* found(() => simulation.prefer(find.number(phoneId), find.customer(from), marketing))
        return {}
      }),
    "POST decide": (request) =>
      Effect.gen(function* () {
        const { businessId, event, language, name, reason } = yield* read.decides(request)
        yield* found(() => simulation.life.decide(find.template(businessId, name, language), event, reason))
        return {}
      }),
    "POST tell": (request) =>
      Effect.map(read.tells(request), (change) => {
        outbox.tell(change)
        return {}
      }),
    "POST signups": (request) => Effect.map(read.signup(request), signups.signUp),
    "POST act": (request) =>
      Effect.flatMap(read.act(request), (act) =>
        Effect.map(
          found(() => perform(act)),
          (id) => ({ id })
        )
      ),
    "GET codes": () =>
      Effect.sync(() =>
        [...world.states.values()].map(({ phoneId, verificationCode }) => ({ phoneId, verificationCode }))
      ),
    "POST misbehave": (request) =>
      Effect.map(read.misbehaviour(request), (rule) => {
        script.add(rule)
        return {}
      }),
    "DELETE misbehave": () =>
      Effect.sync(() => {
        script.clear()
        outbox.misbehave({})
        return {}
      }),
    "POST deliveries": (request) =>
      Effect.map(read.deliveryMisbehaviour(request), (rule) => {
        outbox.misbehave(rule)
        return {}
      }),
    "GET deliveries": () => Effect.sync(() => world.deliveries),
    "POST clock": (request) =>
      Effect.map(read.advance(request), ({ advanceMillis }) => {
        timeline.advance(advanceMillis)
        return { now: timeline.now() }
      }),
    "GET clock": () => Effect.sync(() => ({ now: timeline.now() })),
    "POST verify": (request) =>
      Effect.flatMap(read.verify(request), ({ url, verifyToken }) => {
        return Effect.map(makeVerification(world, client).verify(url, verifyToken), (verified) => ({ verified }))
      }),
    "GET log": (_, query) =>
      Effect.sync(() => {
        const after = Number(query.get("after") ?? "0")
        return {
          accepted: world.accepted.slice(after),
          acceptedCount: world.accepted.length,
          refused: world.refused,
          calls: world.calls,
          subscribed: [...world.accounts.values()]
            .filter(({ subscription }) => subscription !== null)
            .map(({ id }) => id)
        }
      }),
    "DELETE log": () =>
      Effect.sync(() => {
        world.calls.length = 0
        world.accepted.length = 0
        world.refused.length = 0
        world.deliveries.length = 0
        return {}
      }),
    "GET idle": () => Effect.sync(() => ({ idle: timeline.pending() === 0 && outbox.idle() }))
  }

  return (request: Request, address: URL): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const name = `${request.method} ${address.pathname.slice("/simulator/".length)}`
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    const answer = action === undefined ? Effect.fail(notFound("action")) : action(request, address.searchParams)
    return Effect.match(answer, {
      onFailure: ({ reason, status }) => HttpServerResponse.jsonUnsafe({ error: reason }, { status }),
      onSuccess: (body) => HttpServerResponse.jsonUnsafe(body)
    })
  }
}
