import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import {
  layerWorkers,
  type Organization,
  Outbox,
  startPluginCall,
  PluginCalls,
  PluginId,
  StoreOrders,
  transact
} from "@parley/domain"
import { ParleyClient } from "@parley/http-adapter/client"
import { Server, settings } from "@parley/http-adapter/server"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import {
  asOperatorOf,
  everybodysPassword,
  givenCommerce,
  givenConversation,
  givenMember,
  givenMessage,
  givenOrganization,
  TestKit
} from "@parley/testkit"
import { Effect, Layer, Queue, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpServer } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manifestAt } from "../src/manifest.ts"

const link = "https://dhl.example/track/1"

const program = join(import.meta.dirname, "../src/main.ts")

/** The service on its own port; it reaches plugins on this machine. */
const service = Server.layer(settings({ port: 0, accessLog: false })).pipe(
  Layer.provideMerge(layerWorkers({ lookMillis: 50 })),
  Layer.provideMerge(Webhooks.layer({ publicUrl: "https://parley.test", loopback: true })),
  Layer.provideMerge(TestKit.layer)
)

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** Runs the plugin until the test ends. Returns its output, line by line. */
const startPlugin = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const command = ChildProcess.make(process.execPath, [program], { env, extendEnv: true, stderr: "inherit" })
  const plugin = yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
  const lines = yield* Queue.unbounded<string>()
  yield* plugin.stdout.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => Queue.offer(lines, line)),
    Effect.forkScoped
  )
  return lines
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "where-is-my-order-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const ended = (organization: Organization, id: Effect.Success<ReturnType<typeof startPluginCall>>) =>
  Effect.flatMap(PluginCalls, (calls) => calls.find(id)).pipe(
    asOperatorOf(organization),
    Effect.repeat({ until: (call) => call?.state === "done" || call?.state === "failed" })
  )

layer(Layer.mergeAll(service, NodeServices.layer, FetchHttpClient.layer), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("the plugin that says where an order is", (it) => {
  it.effect("is installed, acts with its own token, and gets the uninstall call", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const { user } = yield* givenMember(organization, "owner")
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const { client } = yield* ParleyClient.login({
        baseUrl,
        email: user.email,
        password: everybodysPassword,
        organizationId: organization.id
      })
      const port = yield* freePort
      const printed = yield* startPlugin({
        PARLEY_URL: baseUrl,
        PORT: String(port),
        PLUGIN_FILE: join(yield* folder, "installations.json")
      })
      assert.strictEqual(yield* Queue.take(printed), `Listening on port ${port}`)
      const { permissions, ...rest } = manifestAt(`http://127.0.0.1:${port}`)
      const manifest = { ...rest, permissions } as never
      const installed = yield* client.plugins.install({
        payload: { manifest, grants: ["conversations.read", "conversations.manage", "commerce.read"] }
      })
      assert.strictEqual(yield* Queue.take(printed), "plugin.installed")
      const params = { id: PluginId.make(installed.id) }
      yield* Effect.repeat(client.plugins.get({ params }), { until: ({ status }) => status === "enabled" })
      for (const [path, body] of [
        ["/events", "no JSON"],
        ["/events", "null"],
        ["/events", JSON.stringify({ organizationId: "__proto__" })],
        ["/actions/tracking_link", JSON.stringify({ organizationId: organization.id })],
        ["/lifecycle", JSON.stringify({ organizationId: "another", type: "plugin.installed", secret: "", token: "" })],
        ["/lifecycle", JSON.stringify({ organizationId: organization.id, type: "plugin.uninstalled" })]
      ] as const) {
        const forged = HttpClientRequest.post(`http://127.0.0.1:${port}${path}`).pipe(HttpClientRequest.bodyText(body))
        assert.strictEqual((yield* HttpClient.execute(forged)).status, 400, body)
      }
      const conversation = yield* givenConversation(organization)
      const { contactId } = conversation
      const { order } = yield* givenCommerce(organization, contactId)
      const parcel = {
        status: "in_transit",
        carrier: "DHL",
        trackingNumber: "1",
        trackingUrl: link,
        at: order.createdAt
      } as const
      const shipped = { ...order, record: { ...order.record, fulfilments: [parcel] } }
      const asked = yield* givenMessage(organization, conversation, { text: "Hello! Where is my ORDER?" })
      yield* Effect.gen(function* () {
        yield* (yield* StoreOrders).put([shipped])
        const outbox = yield* Outbox
        const about = { conversationId: conversation.id, contactId, chatAccountId: conversation.chatAccountId }
        yield* outbox.append({ type: "message.received", messageId: asked.id, kind: "text", ...about })
      }).pipe(transact, asOperatorOf(organization))
      assert.strictEqual(yield* Queue.take(printed), `Here it is: ${link}`)
      const { data } = yield* client.messages.list({ params: { id: conversation.id }, query: {} })
      const given = data.filter(({ direction }) => direction === "outbound")
      assert.deepStrictEqual(
        given.map(({ author, text }) => [author, text]),
        [[{ kind: "token", id: installed.id }, `Here it is: ${link}`]]
      )
      const asks = [
        { input: {}, url: link },
        { input: { skus: order.record.lines.flatMap(({ sku }) => sku ?? []) }, url: link },
        { input: { skus: ["another"] }, url: null }
      ]
      for (const [index, { input, url }] of asks.entries()) {
        const id = yield* startPluginCall({
          pluginId: params.id,
          action: "tracking_link",
          input,
          caller: "workflow",
          runId: "run",
          key: `run:step:${index}`,
          contactId: null,
          conversationId: conversation.id
        }).pipe(transact, asOperatorOf(organization))
        const call = yield* ended(organization, id)
        assert.deepStrictEqual([call?.state, call?.output], ["done", { url }])
      }
      yield* client.plugins.uninstall({ params, query: {}, headers: {} })
      assert.strictEqual(yield* Queue.take(printed), "plugin.uninstalled")
    }).pipe(Effect.scoped)
  )
})
