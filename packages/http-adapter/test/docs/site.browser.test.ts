import type { Ports } from "@parley/domain/composition"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Logger, Redacted } from "effect"
import type { HttpServer } from "effect/http"
import { settings } from "../../src/server/ServerConfig.ts"
import { Server } from "../../src/server/index.ts"
import {
  givenDocsCode,
  givenInvitation,
  givenPasswordReset,
  givenTenant,
  givenUser,
  password
} from "../harness/tenants.ts"
import { addressOf } from "./addressOf.ts"
import { Site, siteSuite } from "./site.ts"

const service = Server.layer(settings({ port: 0, accessLog: false })).pipe(
  Layer.provideMerge(TestKit.layer),
  Layer.provide(Logger.layer([]))
)

const site = Layer.effect(
  Site,
  Effect.gen(function* () {
    const { organization, owner } = yield* givenTenant("free")
    const ports = yield* Effect.context<HttpServer.HttpServer | Ports>()
    return Site.of({
      base: yield* addressOf,
      reader: {
        name: owner.user.name,
        email: owner.user.email,
        password,
        organization: organization.name,
        organizationId: organization.id
      },
      newCode: givenDocsCode(organization, owner).pipe(Effect.map(Redacted.value), Effect.provideContext(ports)),
      newInvitation: givenInvitation(organization).pipe(
        Effect.map(({ token }) => Redacted.value(token)),
        Effect.provideContext(ports)
      ),
      newInvitationOfReader: givenUser({}).pipe(
        Effect.flatMap(({ email }) => givenInvitation(organization, { email })),
        Effect.map(({ token }) => Redacted.value(token)),
        Effect.provideContext(ports)
      ),
      newPasswordReset: givenUser({}).pipe(
        Effect.flatMap(({ email }) => givenPasswordReset(email)),
        Effect.map(Redacted.value),
        Effect.provideContext(ports)
      )
    })
  })
)

siteSuite("the documentation site of the service", site.pipe(Layer.provide(service)))
