import { Effect, Schema, Struct } from "effect"
import { type HttpClient, HttpClientRequest, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { DeliveryMisbehaviour, Misbehaviour, type Script } from "./Misbehaviour.ts"
import type { Outbox } from "./Outbox.ts"
import { CustomerMessage, type Simulation } from "./Simulation.ts"
import type { Timeline } from "../Timeline.ts"
import type { Customer, World } from "./World.ts"

const WebhookSettings = Schema.Struct({
  /** Default: every business account without its own webhook. */
  businessId: Schema.optionalKey(Schema.String),
  url: Schema.String,
  appSecret: Schema.String
})

const NewNumber = Schema.Struct({
  phoneId: Schema.String,
  businessId: Schema.String,
  displayPhone: Schema.String,
  verifiedName: Schema.optionalKey(Schema.String),
  accessToken: Schema.String,
  quality: Schema.optionalKey(Schema.Literals(["GREEN", "YELLOW", "RED"])),
  messagingLimit: Schema.optionalKey(Schema.String)
})

const NewCustomer = Schema.Struct({
  /** Without one, the customer is known by the provider's id only. */
  phone: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  reachable: Schema.optionalKey(Schema.Boolean)
})

const Writes = Schema.Struct({
  phoneId: Schema.String,
  /** A phone number, or a user id; a new phone number makes a new customer. */
  from: Schema.String,
  message: CustomerMessage,
  replyTo: Schema.optionalKey(Schema.String),
  fromAdvertisement: Schema.optionalKey(Schema.Boolean),
  referral: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})

/** Message that the business sends in the provider's own app. */
const Echoes = Schema.Struct({ phoneId: Schema.String, to: Schema.String, message: CustomerMessage })

const Prefers = Schema.Struct({
  phoneId: Schema.String,
  from: Schema.String,
  marketing: Schema.Literals(["stop", "resume"])
})

const Decides = Schema.Struct({
  businessId: Schema.String,
  name: Schema.String,
  language: Schema.String,
  event: Schema.String,
  reason: Schema.optionalKey(Schema.String)
})

const Tells = Schema.Struct({ businessId: Schema.String, field: Schema.String, value: Schema.Unknown })
const Advance = Schema.Struct({ advanceMillis: Schema.Finite })
const Signup = Schema.Struct({ businessId: Schema.String, accessToken: Schema.String, code: Schema.String })
const Verify = Schema.Struct({ url: Schema.String, verifyToken: Schema.String })

class ControlRefused extends Schema.TaggedError<ControlRefused>()("ControlRefused", {
  status: Schema.Int,
  reason: Schema.String
}) {}

const decoded = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (request: HttpServerRequest.HttpServerRequest): Effect.Effect<S["Type"], ControlRefused> =>
    request.text.pipe(
      Effect.flatMap((text) => decode(text)),
      Effect.mapError((error) => new ControlRefused({ status: 400, reason: error.message }))
    )
}

const read = {
  webhook: decoded(WebhookSettings),
  number: decoded(NewNumber),
  customer: decoded(NewCustomer),
  writes: decoded(Writes),
  echoes: decoded(Echoes),
  prefers: decoded(Prefers),
  decides: decoded(Decides),
  tells: decoded(Tells),
  advance: decoded(Advance),
  signup: decoded(Signup),
  verify: decoded(Verify),
  misbehaviour: decoded(Misbehaviour),
  deliveryMisbehaviour: decoded(DeliveryMisbehaviour)
}

const shown = ({ name, phone, reachable, userId }: Customer) => ({ name, phone, reachable, userId })

const notFound = (what: string) => new ControlRefused({ status: 404, reason: `There is no such ${what}.` })

const orNotFound = <A>(what: string, value: A | undefined): Effect.Effect<A, ControlRefused> =>
  value === undefined ? Effect.fail(notFound(what)) : Effect.succeed(value)

/** API under `/simulator` that scripts the provider and returns the received calls. */
export const makeControlApi = (
  world: World,
  timeline: Timeline,
  outbox: Outbox,
  simulation: Simulation,
  script: Script,
  client: HttpClient.HttpClient
) => {
  type Request = HttpServerRequest.HttpServerRequest

  const numberOf = (phoneId: string) => orNotFound("number", world.numbers.get(phoneId))

  // A new phone number creates a customer; a new user id is unknown.
  const customerOf = (key: string) =>
    orNotFound(
      "customer",
      world.findCustomer(key) ?? (/^\+?\d+$/u.test(key) ? world.addCustomer(key.replace(/^\+/u, "")) : undefined)
    )

  const actions: Readonly<
    Record<string, (request: Request, query: URLSearchParams) => Effect.Effect<unknown, ControlRefused>>
  > = {
    "POST webhook": (request) =>
      Effect.map(read.webhook(request), ({ appSecret, businessId, url }) => {
        if (businessId === undefined) outbox.setDefault({ url, appSecret })
        else world.webhooks.set(businessId, { url, appSecret })
        return {}
      }),
    "POST numbers": (request) =>
      Effect.map(read.number(request), (number) => {
        world.addNumber(number)
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
        return { id: simulation.write(yield* numberOf(phoneId), yield* customerOf(from), message, writing) }
      }),
    "POST echo": (request) =>
      Effect.gen(function* () {
        const { message, phoneId, to } = yield* read.echoes(request)
        return { id: simulation.echo(yield* numberOf(phoneId), yield* customerOf(to), message) }
      }),
    "POST preference": (request) =>
      Effect.gen(function* () {
        const { from, marketing, phoneId } = yield* read.prefers(request)
        simulation.prefer(yield* numberOf(phoneId), yield* customerOf(from), marketing)
        return {}
      }),
    "POST decide": (request) =>
      Effect.gen(function* () {
        const { businessId, event, language, name, reason } = yield* read.decides(request)
        const template = world.templates.get(JSON.stringify([businessId, name, language]))
        simulation.decide(yield* orNotFound("template", template), event, reason ?? "NONE")
        return {}
      }),
    "POST tell": (request) =>
      Effect.map(read.tells(request), (change) => {
        outbox.tell(change)
        return {}
      }),
    "POST signups": (request) =>
      Effect.map(read.signup(request), ({ accessToken, businessId, code }) => {
        world.grant(accessToken, businessId)
        world.signupCodes.set(code, accessToken)
        return {}
      }),
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
        const challenge = String(1_000_000_000 + world.next())
        return HttpClientRequest.get(url, {
          urlParams: { "hub.mode": "subscribe", "hub.challenge": challenge, "hub.verify_token": verifyToken }
        }).pipe(
          client.execute,
          Effect.flatMap((response) =>
            Effect.map(response.text, (text) => ({ verified: response.status === 200 && text === challenge }))
          ),
          Effect.orElseSucceed(() => ({ verified: false }))
        )
      }),
    "GET log": (_, query) =>
      Effect.sync(() => {
        const after = Number(query.get("after") ?? "0")
        return {
          accepted: world.accepted.slice(after),
          acceptedCount: world.accepted.length,
          refused: world.refused,
          calls: world.calls,
          subscribed: [...world.subscribed]
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
