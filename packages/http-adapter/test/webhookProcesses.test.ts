import { assert, layer } from "@effect/vitest"
import { Outbox, transact } from "@parley/domain/kernel"
import { createWebhookSubscription, deleteWebhookSubscription, WebhookDeliveries } from "@parley/domain/integrations"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import * as Webhooks from "@parley/provider-adapters/webhooks"
import { Context, Effect, Exit, Latch, Layer, type Redacted, Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { layerPorts } from "./harness/postgres.ts"
import { startNode } from "./harness/processes.ts"
import { givenTenant, inside } from "./harness/tenants.ts"

/** This address has no listener. A node with this address runs all background tasks. */
const nowhere = "http://127.0.0.1:9"

class Installation extends Context.Service<
  Installation,
  { readonly database: Redacted.Redacted; readonly masterKeys: Redacted.Redacted }
>()("@parley/http-adapter/test/WebhookInstallation") {}

const layerInstallation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    return Installation.of({ database: yield* freshDatabase, masterKeys: yield* generateMasterKey("k1") })
  })
)

const layerWorld = Layer.unwrap(
  Effect.map(Installation, ({ database, masterKeys }) =>
    layerPorts(Database.layer({ url: database, maxConnections: 4 }), {
      masterKeys,
      webhooks: Webhooks.layer({ publicUrl: "https://parley.test", loopback: true })
    })
  )
).pipe(Layer.provideMerge(layerInstallation))

const start = Effect.flatMap(Installation, ({ database, masterKeys }) => startNode(database, masterKeys, nowhere))

/** Receivers on one port, each with its own path. They record the received positions and signal each arrival. */
const receiving = Effect.gen(function* () {
  const got = new Map<string, Array<number>>()
  const came = Latch.makeUnsafe()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ""
      const { position } = JSON.parse(body) as { readonly position: number }
      got.set(path, [...(got.get(path) ?? []), position])
      response.writeHead(204).end()
      came.openUnsafe()
    })
  })
  const url = yield* Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const until = (isSo: () => boolean) =>
    Effect.gen(function* () {
      while (!isSo()) {
        came.closeUnsafe()
        if (!isSo()) yield* came.await
      }
    })
  return { url, got: (path: string) => got.get(path) ?? [], until }
})

layer(layerWorld, { excludeTestServices: true, timeout: "120 seconds" })("webhooks of two processes", (it) => {
  it.effect(
    "reach every receiver at least once despite killed processes, and no former subscriber",
    () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const within = inside(organization)
        const { got, until, url } = yield* receiving
        const subscribe = (path: string, ordering: "none" | "subject") =>
          createWebhookSubscription({ name: path, url: `${url}${path}`, events: ["tag.*"], ordering }).pipe(within)
        const kept = [yield* subscribe("/any", "none"), yield* subscribe("/ordered", "subject")]
        const passing = yield* subscribe("/passing", "none")
        let tags = 0
        const tell = Effect.suspend(() => {
          tags += 1
          return Effect.flatMap(Outbox, (outbox) =>
            transact(outbox.append({ type: "tag.created", tagId: `tag-${tags % 3}` }))
          ).pipe(within)
        })
        const tellMany = (count: number) => Effect.replicateEffect(tell, count, { discard: true })

        const [one, other] = [yield* Scope.make(), yield* Scope.make()]
        yield* start.pipe(Scope.provide(one))
        yield* start.pipe(Scope.provide(other))
        yield* tellMany(60)
        yield* until(() => got("/any").length >= 20)
        yield* Scope.close(one, Exit.void)
        yield* tellMany(60)
        yield* start
        yield* until(() => new Set(got("/passing")).size >= 100)
        yield* deleteWebhookSubscription({ id: passing.id, ifVersion: null }).pipe(within)
        yield* Scope.close(other, Exit.void)
        yield* tellMany(60)
        for (const path of ["/any", "/ordered"]) yield* until(() => new Set(got(path)).size === 180)

        const positions = new Set(got("/any"))
        assert.deepStrictEqual(new Set(got("/ordered")), positions)
        const deliveries = yield* WebhookDeliveries
        const everything = { state: ["delivered"], type: null, id: null, from: null, to: null } as const
        for (const { id } of kept) {
          const delivered = yield* Effect.repeat(
            Effect.delay(deliveries.list(id, everything, { limit: 500, after: null }).pipe(within), "20 millis"),
            { until: (rows) => rows.length >= 180 }
          )
          assert.deepStrictEqual(new Set(delivered.map(({ delivery }) => delivery.position)), positions)
        }
        // None of the last sixty events arrived there, because they were published after the deletion.
        const last = new Set(
          Array.from(positions)
            .toSorted((a, b) => a - b)
            .slice(-60)
        )
        assert.deepStrictEqual(
          got("/passing").filter((position) => last.has(position)),
          []
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
