import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Timeline } from "../Timeline.ts"
import { Action } from "./Action.ts"
import { DeliveryMisbehaviour, Misbehaviour, type Script } from "./Misbehaviour.ts"
import type { OauthApi } from "./oauthApi.ts"
import type { Outbox } from "./Outbox.ts"
import type { Simulation } from "./Simulation.ts"
import { NotThere, type World } from "./World.ts"

const Advance = Schema.Struct({ advanceMillis: Schema.Finite })
const Decision = Schema.Struct({ authorizeUrl: Schema.String, agreed: Schema.Boolean })

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
  action: decoded(Action),
  advance: decoded(Advance),
  decision: decoded(Decision),
  misbehaviour: decoded(Misbehaviour),
  deliveryMisbehaviour: decoded(DeliveryMisbehaviour)
}

/** Accepts or denies an app's authorization request, like a member on the page; returns the redirect URL. */
export const decide = (world: World, oauth: OauthApi, authorizeUrl: string, agreed: boolean): string => {
  const address = new URL(authorizeUrl)
  const domain = address.pathname.split("/").find((part) => part.endsWith(".myshopify.com"))
  const shop = world.shopAt(domain ?? address.hostname)
  if (shop === null) throw new NotThere(`There is no shop at ${authorizeUrl}.`)
  const asked = oauth.askedIn(shop, address.searchParams)
  if (typeof asked === "string") throw new NotThere(asked)
  return agreed ? oauth.agree(asked) : oauth.deny(asked)
}

/** API under `/simulator` that scripts the provider and returns the received requests. */
export const makeControlApi = (
  world: World,
  timeline: Timeline,
  outbox: Outbox,
  simulation: Simulation,
  script: Script,
  oauth: OauthApi
) => {
  type Request = HttpServerRequest.HttpServerRequest

  const attempted = <A>(attempt: () => A): Effect.Effect<A, ControlRefused> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(attempt())
      } catch (thrown) {
        if (thrown instanceof NotThere) return Effect.fail(new ControlRefused({ status: 404, reason: thrown.message }))
        throw thrown
      }
    })

  const actions: Readonly<Record<string, (request: Request) => Effect.Effect<unknown, ControlRefused>>> = {
    "POST act": (request) =>
      Effect.flatMap(read.action(request), (action) => attempted(() => ({ id: simulation.act(action) }))),
    "POST decide": (request) =>
      Effect.flatMap(read.decision(request), ({ agreed, authorizeUrl }) =>
        attempted(() => ({ location: decide(world, oauth, authorizeUrl, agreed) }))
      ),
    "GET shops": () =>
      Effect.sync(() =>
        world.shops.map(({ currency, domain, id, installation, name, shelves, subscriptions }) => ({
          id,
          domain,
          name,
          currency,
          scopes: installation?.scopes ?? null,
          topics: subscriptions.map(({ topic }) => topic),
          customers: shelves.customers.size,
          orders: shelves.orders.size,
          products: shelves.products.size,
          abandonedCheckouts: shelves.abandonedCheckouts.size
        }))
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
    "GET calls": () => Effect.sync(() => world.calls),
    "POST clock": (request) =>
      Effect.map(read.advance(request), ({ advanceMillis }) => {
        timeline.advance(advanceMillis)
        return { now: timeline.now() }
      }),
    "GET clock": () => Effect.sync(() => ({ now: timeline.now() })),
    "GET idle": () => Effect.sync(() => ({ idle: timeline.pending() === 0 && outbox.idle() }))
  }

  return (request: Request, address: URL): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
    const name = `${request.method} ${address.pathname.slice("/simulator/".length)}`
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    const answer =
      action === undefined
        ? Effect.fail(new ControlRefused({ status: 404, reason: "There is no such action." }))
        : action(request)
    return Effect.match(answer, {
      onFailure: ({ reason, status }) => HttpServerResponse.jsonUnsafe({ error: reason }, { status }),
      onSuccess: (body) => HttpServerResponse.jsonUnsafe(body)
    })
  }
}
