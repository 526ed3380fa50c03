import { Effect, Schema, Struct } from "effect"
import { type HttpClient, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeVerification } from "./graph/callbacks.ts"
import { DeliveryMisbehaviour, Misbehaviour, type Script } from "./Misbehaviour.ts"
import type { Outbox } from "./Outbox.ts"
import { Act } from "./acts/Act.ts"
import { type Finder, type Perform, Unknown } from "./acts/perform.ts"
import { CustomerMessage } from "./inbound/CustomerMessage.ts"
import type { Simulation } from "./Simulation.ts"
import { Signup, type Signups } from "./signups.ts"
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
  messagingLimit: Schema.optionalKey(Schema.String),
  otherBusinessIds: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Default: registered. */
  stage: Schema.optionalKey(Schema.Literals(["registered", "verified", "unverified", "coexistence"]))
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
  referral: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  forwarded: Schema.optionalKey(Schema.Literals(["once", "often"])),
  product: Schema.optionalKey(Schema.Struct({ catalogId: Schema.String, productId: Schema.String })),
  groupId: Schema.optionalKey(Schema.String)
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
  act: decoded(Act),
  verify: decoded(Verify),
  misbehaviour: decoded(Misbehaviour),
  deliveryMisbehaviour: decoded(DeliveryMisbehaviour)
}

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
