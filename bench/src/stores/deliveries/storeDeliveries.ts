import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import {
  deliveryTasks,
  layerDeliverySources,
  layerWorkersOf,
  receiveStoreDelivery,
  StoreConnectionId,
  StoreSettings
} from "@parley/domain"
import { generateMasterKey } from "@parley/provider-adapters/security"
import * as Shopify from "@parley/provider-adapters/stores/shopify"
import { Console, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { ownLine } from "../../chat/provider.ts"
import * as BenchDatabase from "../../database/BenchDatabase.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { quantile } from "../../load/quantile.ts"
import { databaseServer } from "../../Options.ts"
import { figure, table } from "../../report/table.ts"
import { layerPorts } from "../../tenants/ports.ts"

const secret = Redacted.make("the secret of the bench's app")

const layerShopify = Layer.merge(
  Layer.succeed(StoreSettings, { publicUrl: "https://parley.example", returnOrigins: [] }),
  Shopify.layer({ app: { clientId: "bench", clientSecret: secret } }).pipe(Layer.provide(NodeHttpClient.layerUndici))
)

const { organizationId } = ownLine(0)

/** A store of the organization that is read, and connected. */
const givenStore = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const id = StoreConnectionId.make(SecureRandom.uuidV7Unsafe())
  yield* sql`
    INSERT INTO store_connections (organization_id, id, provider, shop_domain, shop_id, name, currency, country, status, scopes,
      make_contacts, take_consent, cart_abandoned_after_minutes, sync, as_of, connected_at, created_at, updated_at, version)
    VALUES (${organizationId}, ${id}, 'shopify', ${`${name}.myshopify.com`}, ${name}, ${name}, 'EUR', 'DE', 'connected', '[]',
      'never', false, 60, '{"state":"done","phase":null,"progress":{"done":0,"total":0},"jobId":null}', now(), now(), now(),
      now(), 1)`
  return { id, shop: `${name}.myshopify.com` }
})

const made = new Map<string, number>()

/** A changed order as a signed provider delivery, different each time. */
const changeOf = (shop: string) => {
  const number = (made.get(shop) ?? 0) + 1
  made.set(shop, number)
  const body = Buffer.from(
    JSON.stringify({
      id: number,
      admin_graphql_api_id: `gid://shopify/Order/${number}`,
      checkout_token: `checkout-${number}`,
      cart_token: `cart-${number}`,
      name: `#${number}`,
      updated_at: "2026-03-01T12:00:00Z",
      note: "x".repeat(3_000)
    })
  )
  return {
    body,
    headers: {
      "x-shopify-hmac-sha256": createHmac("sha256", Redacted.value(secret)).update(body).digest("base64"),
      "x-shopify-topic": "orders/create",
      "x-shopify-shop-domain": shop,
      "x-shopify-event-id": `${shop} ${number}`
    }
  }
}

const receive = (shop: string) =>
  Effect.suspend(() => receiveStoreDelivery({ path: ["shopify", "orders", "create"], ...changeOf(shop) }))

const waitingIn = (lane: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly count: number }>`
      SELECT count(*)::integer AS count FROM inbound_deliveries
      WHERE organization_id = ${organizationId} AND lane = ${lane} AND state = 'waiting'`
  ).pipe(Effect.map(([row]) => row?.count ?? 0))

interface Times {
  readonly stored: Array<number>
  readonly applied: Array<number>
}

/** One delivery after the other, each after the previous one is applied: the times until it is stored and applied. */
const tellCalmly = ({ id, shop }: Effect.Success<ReturnType<typeof givenStore>>, { applied, stored }: Times) =>
  Effect.gen(function* () {
    const begun = performance.now()
    yield* receive(shop)
    stored.push(performance.now() - begun)
    while ((yield* waitingIn(id)) > 0) yield* Effect.sleep("5 millis")
    applied.push(performance.now() - begun)
    yield* Effect.sleep("40 millis")
  })

const rowOf = (what: string, { applied, stored }: Times) => [
  what,
  figure(stored.length),
  ...[stored, applied].flatMap((millis) => {
    const sorted = Float64Array.from(millis).toSorted()
    return [0.5, 0.99].map((share) => figure(quantile(sorted, share), 1))
  })
]

const measure = Effect.fnUntraced(function* (count: number, callers: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    VALUES (${organizationId}, 'Sellers', 'sellers', 'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1)`
  const [storm, calm] = [yield* givenStore("storm"), yield* givenStore("calm")]
  const [alone, beside]: ReadonlyArray<Times> = [
    { stored: [], applied: [] },
    { stored: [], applied: [] }
  ]
  if (alone === undefined || beside === undefined) return
  yield* Effect.replicateEffect(tellCalmly(calm, { stored: [], applied: [] }), 20, { discard: true })
  yield* Effect.replicateEffect(tellCalmly(calm, alone), 100, { discard: true })

  const begun = performance.now()
  const fiber = yield* Effect.forkChild(Effect.forever(tellCalmly(calm, beside)))
  const millis: Array<number> = []
  yield* Effect.forEach(
    Array.from({ length: count }),
    () => {
      const called = performance.now()
      return Effect.tap(receive(storm.shop), () => Effect.sync(() => millis.push(performance.now() - called)))
    },
    { concurrency: callers, discard: true }
  )
  const stored = (performance.now() - begun) / 1_000
  const left = yield* waitingIn(storm.id)
  while ((yield* waitingIn(storm.id)) > 0) yield* Effect.sleep("20 millis")
  const applied = (performance.now() - begun) / 1_000
  yield* Fiber.interrupt(fiber)

  const [marks] = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM store_stale_records
    WHERE organization_id = ${organizationId} AND store_connection_id = ${storm.id}`
  if (marks?.count !== count) {
    return yield* new ToolFailed({ tool: "store-deliveries", output: `${marks?.count} of ${count} orders are marked.` })
  }
  const sorted = Float64Array.from(millis).toSorted()
  yield* Console.log(
    `Stored ${figure(count / stored)}/s by ${callers} callers (p50 ${figure(quantile(sorted, 0.5), 1)} ms, p99 ${figure(quantile(sorted, 0.99), 1)} ms); ${left} waited at the end of it.` +
      `\nApplied ${figure(count / applied)}/s. Each of the ${count} orders is marked once.\n`
  )
  yield* Console.log(
    table(
      ["another store of the organization", "deliveries", "stored p50 ms", "p99", "applied p50 ms", "p99"],
      [rowOf("by itself", alone), rowOf("beside the storm", beside)]
    )
  )
})

const positive = (name: string, maximum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))))

/** Cost of a storm of deliveries of one store for another store of the same organization. */
export const storeDeliveries = Command.make(
  "store-deliveries",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
      Flag.optional
    ),
    count: positive("deliveries", 1_000_000).pipe(
      Flag.withDescription("How many deliveries one store makes (20000)"),
      Flag.withDefault(20_000)
    ),
    callers: positive("callers", 512).pipe(
      Flag.withDescription("Number of concurrent deliveries (64)"),
      Flag.withDefault(64)
    )
  },
  Effect.fnUntraced(function* ({ callers, count, server }) {
    const databaseUrl = yield* BenchDatabase.make(yield* databaseServer(server))
    const masterKeys = yield* generateMasterKey("bench")
    const ports = layerPorts({ databaseUrl, masterKeys, poolSize: 10, stores: layerShopify })
    const workers = layerWorkersOf(deliveryTasks, { lookMillis: 200, name: "store deliveries" }).pipe(
      Layer.provide(layerDeliverySources)
    )
    yield* measure(count, callers).pipe(Effect.provide(Layer.provideMerge(workers, ports)))
  }, Effect.scoped)
).pipe(
  Command.withDescription("A burst of deliveries of one store, and its cost for another store of the organization")
)
