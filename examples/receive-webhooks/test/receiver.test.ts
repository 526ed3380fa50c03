import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { layerWorkers } from "@parley/domain"
import { ParleyClient, ParleyWebhooks } from "@parley/http-adapter/client"
import { Server, settings } from "@parley/http-adapter/server"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { everybodysPassword, givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { Clock, Effect, Layer, Queue, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpServer } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

const program = join(import.meta.dirname, "../src/main.ts")

/** The service on its own port; it posts to receivers on this machine. */
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

/** Runs the receiver until the test ends. Returns its output, line by line. */
const startReceiver = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const command = ChildProcess.make(process.execPath, [program], { env, extendEnv: true, stderr: "inherit" })
  const receiver = yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
  const lines = yield* Queue.unbounded<string>()
  yield* receiver.stdout.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => Queue.offer(lines, line)),
    Effect.forkScoped
  )
  return lines
})

layer(Layer.mergeAll(service, NodeServices.layer, FetchHttpClient.layer), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("the example that receives webhooks", (it) => {
  it.effect("is forty lines long at most", () =>
    Effect.sync(() => assert.isAtMost(readFileSync(program, "utf8").split("\n").length - 1, 40))
  )

  it.effect("accepts each delivery of the service once and refuses deliveries from others", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { user } = yield* givenMember(organization, "owner")
      const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
      const { client } = yield* ParleyClient.login({
        baseUrl,
        email: user.email,
        password: everybodysPassword,
        organizationId: organization.id
      })
      const port = yield* freePort
      const url = `http://127.0.0.1:${port}/`
      const { id, secret } = yield* client.webhookSubscriptions.create({
        payload: { name: "Example", url, events: ["tag.*", "member.*"] }
      })
      const former = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
      const printed = yield* startReceiver({
        PORT: String(port),
        PARLEY_WEBHOOK_SECRETS: `${Redacted.value(secret)} ${former}`
      })
      assert.strictEqual(yield* Queue.take(printed), `Listening on port ${port}`)

      const tag = yield* client.tags.create({ payload: { name: "VIP" } })
      assert.strictEqual(yield* Queue.take(printed), `tag.created: ${tag.id}`)
      const [delivery = assert.fail("nothing was delivered")] = (yield* client.webhookSubscriptions.listDeliveries({
        params: { id },
        query: {}
      })).data
      yield* client.webhookSubscriptions.redeliver({ params: { id, deliveryId: delivery.id } })
      yield* client.tags.delete({ params: { id: tag.id } })
      // A repeated delivery is not handled again.
      assert.strictEqual(yield* Queue.take(printed), "tag.deleted")

      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
      const body = JSON.stringify({ type: "tag.updated", id: "d1", data: { tagId: tag.id } })
      const post = (signature: string) =>
        Effect.promise(async () => {
          const headers = {
            "webhook-id": "d1",
            "webhook-timestamp": String(timestamp),
            "webhook-signature": signature
          }
          return (await fetch(url, { method: "POST", headers, body })).status
        })
      const by = (key: string) => Effect.promise(() => ParleyWebhooks.sign(key, { id: "d1", timestamp, body }))
      assert.strictEqual(yield* post(yield* by(`whsec_${Buffer.alloc(32, 8).toString("base64")}`)), 400)
      assert.strictEqual(yield* post(yield* by(former)), 204)
      assert.strictEqual(yield* Queue.take(printed), "tag.updated")
    }).pipe(Effect.scoped)
  )
})
