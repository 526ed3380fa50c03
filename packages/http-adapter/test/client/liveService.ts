import { NodeHttpServer } from "@effect/platform-node"
import type { PlanName } from "@parley/domain/kernel"
import { everybodysPassword, givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"

/** A page that is served from elsewhere than the service: where it is. */
export class ForeignPage extends Context.Service<ForeignPage, { readonly origin: string }>()(
  "@parley/http-adapter/test/client/ForeignPage"
) {}

const blank = HttpServerResponse.html("<!doctype html><link rel='icon' href='data:,'><title>A page</title>")

const layerPage = Layer.effect(
  ForeignPage,
  Effect.gen(function* () {
    const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
    yield* HttpServer.serveEffect(Effect.succeed(blank))
    return { origin }
  })
).pipe(Layer.provide(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })))

/** The service on its own port; the foreign page can call it. */
export const layer = Layer.unwrap(
  Effect.map(ForeignPage, ({ origin }) => Server.layer(settings({ port: 0, accessLog: false, corsOrigins: [origin] })))
).pipe(Layer.provideMerge(layerPage), Layer.provideMerge(TestKit.layer))

/** A new owner, and how they log in. */
export const givenLogin = Effect.fnUntraced(function* (plan: PlanName = "growth") {
  const organization = yield* givenOrganization({ plan })
  const { user } = yield* givenMember(organization, "owner")
  const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  return { baseUrl, email: user.email, password: Redacted.value(everybodysPassword), organizationId: organization.id }
})
