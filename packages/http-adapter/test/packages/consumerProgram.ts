/** A program of a user who has installed the packages with npm. It uses a part of each package and prints the results. */
export const consumerProgram = `
import { createParley } from "@parley/client"
import { contacts } from "@parley/client/areas"
import { createAutomation, CurrentActor, CurrentOrganization, layerWorkers, type Ports } from "@parley/domain"
import { Api } from "@parley/http-adapter/api"
import { ParleyClient } from "@parley/http-adapter/client"
import { Server, settings } from "@parley/http-adapter/server"
import * as Postgres from "@parley/postgres-adapter"
import * as Security from "@parley/provider-adapters/security"
import { embed } from "@parley/service"
import { givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"

const ports: Layer.Layer<Ports> = layerWorkers().pipe(Layer.provideMerge(TestKit.layer))
const embedded: Layer.Layer<Ports, unknown> = embed({ dataDir: ".parley" })
const service = Server.layer(settings({ port: 0, accessLog: false })).pipe(Layer.provideMerge(ports))

const linked = async (page: string) => {
  const html = await (await fetch(page)).text()
  const paths = new Set(Array.from(html.matchAll(/(?:href|src)="(\\/docs\\/[^"#]+)"/g), ([, path]) => path ?? ""))
  const answers = await Promise.all(Array.from(paths, (path) => fetch(new URL(path, page))))
  return { count: answers.length, broken: answers.filter(({ ok }) => !ok).map(({ url }) => url) }
}

const program = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const { password, user } = yield* givenMember(organization, "owner")
  const made = yield* createAutomation({ name: "Made inside" }).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id }),
    Effect.provideService(CurrentActor, { kind: "operator", name: "consumer" })
  )
  const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const { client } = yield* ParleyClient.login({ baseUrl, email: user.email, password })
  const { data } = yield* client.automations.list()
  const plain = ParleyClient.promise({ baseUrl })
  const payload = { email: user.email, password: Redacted.value(password) }
  const session = yield* Effect.promise(() => plain.sessions.login({ payload }))
  const parley = ParleyClient.promise({ baseUrl, organizationId: organization.id, token: session.accessToken })
  const headers = { "content-type": "application/pdf" }
  const media = yield* Effect.promise(() => parley.media.upload({ headers, payload: new Blob(["%PDF-1.7 Rye"]) }))
  const bytes = yield* Effect.promise(() => parley.media.download({ params: { id: media.id } }))
  const light = createParley({ baseUrl, organizationId: organization.id, session })
  const automations = yield* Effect.promise(() => light.throwing().automations.list())
  return {
    contract: Api.identifier,
    isSeenOutside: data[0]?.id === made.id,
    file: yield* Effect.promise(() => new Response(bytes).text()),
    organizations: session.organizations.map(({ role }) => role),
    light: [automations.data.length, contacts.list],
    site: yield* Effect.promise(() => linked(baseUrl + "/docs")),
    adapters: [embedded, Postgres.layer, Postgres.Embedded.layer({ directory: ".parley" }), Security.layerPasswordHasher()].every(Layer.isLayer)
  }
})

console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, [service, FetchHttpClient.layer]))))
`
