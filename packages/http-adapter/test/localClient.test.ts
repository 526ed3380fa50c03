import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, StorageUnavailable } from "@parley/domain/kernel"
import { Contacts } from "@parley/domain/crm"
import { everybodysPassword, givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { Cause, Context, Effect, Exit, Fiber, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { readdirSync, readFileSync } from "node:fs"
import { ChosenHeaders } from "../src/client/CurrentCall.ts"
import { ParleyClient } from "../src/client/index.ts"
import { makeLocalClient } from "../src/server/LocalClient.ts"
import { settings } from "../src/server/ServerConfig.ts"
import { Server } from "../src/server/index.ts"

const otto = { actor: { kind: "operator", name: "otto" }, requestId: null } as const

/** Limits that would refuse the second call of a server, and each body. */
const narrow = settings({
  rateLimits: { tokenPerMinute: 1, organizationPerMinute: 1, addressPerMinute: 1 },
  maxBodyBytes: 1,
  accessLog: false
})

const layerBoth = Server.layer(settings({ port: 0, accessLog: false })).pipe(
  Layer.provideMerge(TestKit.layer),
  Layer.provideMerge(Layer.merge(NodeServices.layer, FetchHttpClient.layer))
)

const lastEntry = (client: ParleyClient.Client) =>
  Effect.map(client.audit.list({ query: { limit: 1 } }), ({ data: [entry] }) => entry)

layer(layerBoth, { excludeTestServices: true })("a local client", (it) => {
  it.effect("acts as its caller, and its audit entries name no request", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const client = yield* makeLocalClient(narrow, otto, id)
      const created = yield* client.tags.create({ payload: { name: "VIP" } })
      const entry = yield* lastEntry(client)
      assert.deepStrictEqual(
        [entry?.actor, entry?.target, entry?.requestId],
        [{ kind: "operator", id: "otto" }, { kind: "tag", id: created.id }, null]
      )
    })
  )

  it.effect("does not depend on rate limits and size limits", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const client = yield* makeLocalClient(narrow, otto, id)
      for (const name of ["One", "Two", "Three"]) yield* client.tags.create({ payload: { name } })
      const { data } = yield* client.tags.list()
      assert.lengthOf(data, 3)
    })
  )

  it.effect("ignores credentials and identities in headers", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { user } = yield* givenMember(organization, "owner")
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const anybody = yield* ParleyClient.make({ baseUrl })
      const { accessToken } = yield* anybody.sessions.login({
        payload: { email: user.email, password: everybodysPassword }
      })
      const client = yield* makeLocalClient(narrow, otto, organization.id)
      yield* client.tags.create({ payload: { name: "VIP" } }).pipe(
        Effect.provideService(ChosenHeaders, {
          authorization: `Bearer ${Redacted.value(accessToken)}`,
          "x-request-id": "forged-request",
          "x-operator-name": "eve"
        })
      )
      const entry = yield* lastEntry(client)
      assert.deepStrictEqual([entry?.actor, entry?.requestId], [{ kind: "operator", id: "otto" }, null])
    })
  )

  it.effect("sends nothing that a server accepts as an identity", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      // The local client is this client, with another way to the handlers.
      const outside = yield* ParleyClient.make({ baseUrl, organizationId: id, retry: { times: 0 } })
      const inside = yield* makeLocalClient(narrow, otto, id)
      for (const { contacts, members, organization, tags } of [outside, inside]) {
        const calls = [contacts.list(), members.list(), organization.get(), tags.create({ payload: { name: "VIP" } })]
        const refusals = yield* Effect.forEach(calls, (call) =>
          Effect.match(call as Effect.Effect<unknown, { readonly _tag: string }>, {
            onFailure: ({ _tag }) => _tag,
            onSuccess: () => null
          })
        )
        const expected = tags === inside.tags ? null : "Unauthenticated"
        assert.deepStrictEqual(refusals, [expected, expected, expected, expected])
      }
    })
  )

  it.effect("streams files", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const client = yield* makeLocalClient(narrow, otto, id)
      yield* client.contacts.create({ payload: { email: "ada@example.com", name: "Ada" } })
      const bytes = yield* client.contactTransfer.export({ query: { format: "ndjson" } })
      const text = yield* Stream.mkString(Stream.decodeText(bytes))
      assert.include(text, "ada@example.com")
    })
  )

  it.effect("follows events, and ends the stream with its reader", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const client = yield* makeLocalClient(narrow, otto, id)
      yield* client.tags.create({ payload: { name: "VIP" } })
      const first = yield* client.events
        .follow({ since: "2026-01-01T00:00:00Z", type: ["tag.created"] })
        .pipe(Stream.take(1), Stream.runCollect)
      assert.deepStrictEqual(
        Array.from(first, ({ actor, event }) => [event.type, actor.kind]),
        [["tag.created", "operator"]]
      )
    })
  )

  it.effect("stops a call that is interrupted, and leaves no tenant behind", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const contacts = yield* Contacts
      let stopped = false
      const waiting = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          stopped = true
        })
      )
      const client = yield* makeLocalClient(narrow, otto, id).pipe(
        Effect.provideService(Contacts, {
          ...contacts,
          find: () => waiting,
          get: () => waiting,
          list: () => waiting,
          render: () => waiting
        } as typeof contacts)
      )
      const fiber = yield* Effect.forkChild(client.contacts.list())
      yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(fiber)
      assert.isTrue(stopped)
      yield* client.tags.list()
      const services = yield* Effect.context()
      assert.isUndefined(Context.getOrUndefined(services, CurrentOrganization))
      assert.isUndefined(Context.getOrUndefined(services, CurrentActor))
    })
  )

  it.effect("passes an outage of the storage on as a defect", () =>
    Effect.gen(function* () {
      const { id } = yield* givenOrganization({ plan: "scale" })
      const contacts = yield* Contacts
      const outage = new StorageUnavailable({ reason: "gone", outcome: "not_made", isAway: true })
      const broken = () => Effect.die(outage)
      const client = yield* makeLocalClient(narrow, otto, id).pipe(
        Effect.provideService(Contacts, { ...contacts, list: broken, render: broken } as typeof contacts)
      )
      const exit = yield* Effect.exit(client.contacts.list())
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === outage)
    })
  )

  it.effect("has its own middlewares, which no server can import", () =>
    Effect.sync(() => {
      const source = new URL("../src/", import.meta.url)
      const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
      const text = (file: string) => readFileSync(new URL(file, source), "utf8")
      assert.isEmpty(files.filter((file) => text(file).includes("LocalClient.ts")))
      const exported = Array.from(
        text("server/LocalClient.ts").matchAll(/^export (?:const|interface) (\w+)/gmu),
        ([, name]) => name
      )
      assert.deepStrictEqual(exported, ["LocalCaller", "makeLocalClient"])
    })
  )
})
