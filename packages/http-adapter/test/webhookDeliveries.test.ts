import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { layerWorkers } from "@parley/domain/composition"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Queue, Redacted } from "effect"
import { FetchHttpClient, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { ParleyClient, ParleyWebhooks } from "../src/client/index.ts"
import { settings } from "../src/server/ServerConfig.ts"
import { Server } from "../src/server/index.ts"
import { givenLogin } from "./client/liveService.ts"

/** The service on its own port; it posts to receivers on this machine. */
const service = Server.layer(settings({ port: 0, accessLog: false })).pipe(
  Layer.provideMerge(layerWorkers({ lookMillis: 50 })),
  Layer.provideMerge(Webhooks.layer({ publicUrl: "https://parley.test", loopback: true })),
  Layer.provideMerge(TestKit.layer)
)

interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const ownServer = NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })

/** A receiver on this machine: received requests in order. */
const receiving = Effect.gen(function* () {
  const received = yield* Queue.unbounded<Received>()
  const url = yield* HttpServer.addressFormattedWith(Effect.succeed)
  yield* HttpServer.serveEffect(
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* Queue.offer(received, { headers: request.headers, body: yield* Effect.orDie(request.text) })
      return HttpServerResponse.empty({ status: 204 })
    })
  )
  return { url: `${url}/hook`, received }
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("what the service posts", (it) => {
  it.effect("is verified by the library of Standard Webhooks and by our own, each time and by each secret", () =>
    Effect.gen(function* () {
      const { baseUrl, email, organizationId, password } = yield* givenLogin()
      const { client } = yield* ParleyClient.login({ baseUrl, email, password, organizationId })
      const { received, url } = yield* Effect.flatMap(Layer.build(ownServer), (own) => Effect.provide(receiving, own))
      const { accessToken: token } = yield* client.sessions.login({
        payload: { email, password: Redacted.make(password) }
      })
      const parley = ParleyClient.promise({ baseUrl, token, organizationId })
      const payload = { name: "ERP", url, events: ["tag.*"], payload: "full" as const }
      const subscription = yield* Effect.promise(() => parley.webhookSubscriptions.create({ payload }))
      const params = { id: subscription.id }
      const secrets = [subscription.secret]

      /** Takes the next requests and verifies each twice, by every secret. */
      const take = Effect.fnUntraced(function* (count: number) {
        const requests = yield* Queue.takeN(received, count)
        return yield* Effect.forEach(requests, ({ body, headers }) =>
          Effect.promise(async () => {
            for (const secret of secrets) {
              new Webhook(secret).verify(body, headers as Record<string, string>)
              await ParleyWebhooks.verify({ headers, body }, { secrets: secret })
            }
            return ParleyWebhooks.verify({ headers, body }, { secrets })
          })
        )
      })

      for (let number = 1; number <= 20; number += 1) yield* client.tags.create({ payload: { name: `Tag ${number}` } })
      const events = yield* take(20)
      assert.strictEqual(new Set(events.map(({ id }) => id)).size, 20)
      for (const event of events) {
        assert.deepStrictEqual([event.type, event.organizationId], ["tag.created", organizationId])
      }

      const rotated = yield* Effect.promise(() => parley.webhookSubscriptions.rotateSecret({ params, payload: {} }))
      secrets.unshift(rotated.secret)
      yield* client.tags.create({ payload: { name: "Signed twice" } })
      yield* take(1)

      const [{ id: deliveryId } = assert.fail("nothing was delivered")] = events
      yield* Effect.promise(() => parley.webhookSubscriptions.redeliver({ params: { ...params, deliveryId } }))
      assert.deepStrictEqual(
        (yield* take(1)).map(({ id }) => id),
        [deliveryId]
      )

      yield* Effect.promise(() => parley.webhookSubscriptions.test({ params, payload: { type: "order.refunded" } }))
      const [tested = assert.fail("no test came")] = yield* take(1)
      assert.strictEqual(tested.test, true)
      assert.strictEqual(tested.type === "order.refunded" ? tested.data.amount.currency : null, "EUR")

      yield* Effect.promise(() => parley.webhookSubscriptions.delete({ params }))
    }).pipe(Effect.provide(FetchHttpClient.layer), Effect.scoped)
  )
})
