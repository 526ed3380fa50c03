import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import {
  connectChatAccount,
  layerChatChannels,
  listMessages,
  openConversation,
  sendMessage
} from "@parley/domain/messaging"
import { layerWorkers } from "@parley/domain/composition"
import { make, signatureOf } from "@parley/provider-adapters/chat/webhook"
import { asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { Clock, Effect, FileSystem, Layer, Redacted, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpServer } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { createServer } from "node:net"
import { settings } from "../../src/server/ServerConfig.ts"
import { readSiteText } from "../../src/server/docs/SiteFiles.ts"
import { Server } from "../../src/server/index.ts"

/** The service on its own port, with a channel that accepts accounts on this machine. */
const service = Server.layer(settings({ port: 0, accessLog: false })).pipe(
  Layer.provideMerge(layerWorkers({ lookMillis: 50 })),
  Layer.provideMerge(
    layerChatChannels({ webhook: make({ loopback: true }) }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  ),
  Layer.provideMerge(TestKit.layer)
)

const freePort = Effect.callback<number>((resume) => {
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** The program as printed in the guide, and its name from the first line. */
const printed = Effect.map(readSiteText("guides/webhook-channel.md"), (page) => {
  const [, program = assert.fail("the guide prints no program")] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  const [, name = assert.fail("the program has no name")] = /^\/\/ (\S+):/.exec(program) ?? []
  return { name, program }
})

/** Runs the receiver until the test ends. */
const startReceiver = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "parley-receiver-" })
  const { name, program } = yield* printed
  yield* files.writeFileString(`${folder}/${name}`, program)
  const command = ChildProcess.make(process.execPath, [name], { cwd: folder, env, stdout: "ignore", stderr: "inherit" })
  yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
})

/** Posts a signed body and returns the status of the answer. `signed` replaces the body under the signature. */
const post = Effect.fnUntraced(function* (url: string, secret: string, input: object, signed = input) {
  const timestamp = String(Math.floor((yield* Clock.currentTimeMillis) / 1_000))
  const id = "an id of a message"
  const body = Buffer.from(JSON.stringify(signed))
  const signature = signatureOf(Redacted.make(secret), { id, timestamp, body })
  const request = HttpClientRequest.post(url).pipe(
    HttpClientRequest.setHeaders({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }),
    HttpClientRequest.bodyText(JSON.stringify(input))
  )
  return yield* Effect.map(HttpClient.execute(request), ({ status }) => status)
})

layer(Layer.mergeAll(service, NodeServices.layer, FetchHttpClient.layer), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("the receiver in the guide to webhook channels", (it) => {
  it.effect("takes what the team writes, tells that it is delivered, and answers", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      const port = yield* freePort
      const url = `http://127.0.0.1:${port}/parley`
      const account = yield* connectChatAccount({ provider: "webhook", displayName: "Shop chat", url }).pipe(inside)
      const { signingSecret } = account
      if (signingSecret === null) return assert.fail("the secret is not shown")
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const WEBHOOK_URL = baseUrl + new URL(account.webhookUrl).pathname
      yield* startReceiver({ PORT: String(port), SECRET: signingSecret, WEBHOOK_URL })

      const ping = { type: "ping", timestamp: "2026-11-12T08:31:00.000Z", data: {} }
      const patiently = Effect.retry(post(url, signingSecret, ping), Schedule.spaced("50 millis"))
      assert.strictEqual(yield* patiently, 200)
      assert.strictEqual(yield* post(url, signingSecret, { ...ping, type: "message" }, ping), 401)
      assert.strictEqual(yield* post(url, `whsec_${Buffer.alloc(24).toString("base64")}`, ping), 401)

      const { id: contactId } = yield* givenContact(organization, {
        identities: [{ kind: "external", value: "crm-1867" }]
      })
      const { id } = yield* openConversation({ contactId, chatAccountId: account.id }).pipe(inside)
      yield* sendMessage({ id, kind: "text", text: "It is on its way. 🥐" }).pipe(inside)
      const talk = listMessages({ id, page: { limit: 10, cursor: null } }).pipe(
        inside,
        Effect.map(({ data }) => data.map(({ direction, status, text }) => [direction, status, text]))
      )
      const isOver = (rows: ReadonlyArray<ReadonlyArray<unknown>>) =>
        rows.length === 2 && rows.some(([, status]) => status === "delivered")
      const rows = yield* Effect.repeat(Effect.delay(talk, "50 millis"), { until: isOver })
      assert.deepStrictEqual(rows, [
        ["inbound", "received", "You said: It is on its way. 🥐"],
        ["outbound", "delivered", "It is on its way. 🥐"]
      ])
    }).pipe(Effect.scoped)
  )
})
