import {
  type AudiencePlan,
  Audiences,
  ContactCommerceRecords,
  commerceFilterFields,
  ContactId,
  Contacts,
  anyContact,
  type FilterInput,
  noContact,
  StorageTimeout,
  readFilter,
  CurrentStorageTimeout,
  allOrders,
  parseOrderSearch,
  StoreOrders
} from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import { Clock, Console, DateTime, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { within } from "../campaigns/given.ts"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import { withoutIndexes } from "../database/withoutIndexes.ts"
import { databaseServer } from "../Options.ts"
import { buyersLine, contactAt, mostOrders, productAt, productCount, seedCommerce } from "./seedCommerce.ts"

const rounds = 7

const tables = ["contacts", "contact_identities", "store_orders", "store_order_lines", "store_lifetime_totals"]

const millisOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const begin = yield* Clock.currentTimeMillis
  const value = yield* effect
  return { value, millis: (yield* Clock.currentTimeMillis) - begin }
})

const middle = (millis: ReadonlyArray<number>, part = 0.5) =>
  millis.toSorted((one, other) => one - other)[Math.min(millis.length - 1, Math.floor(millis.length * part))] ?? 0

/** In turns, so other load of the machine affects all equally. */
const inTurn = Effect.fnUntraced(function* <E, R>(contestants: ReadonlyArray<Effect.Effect<number, E, R>>) {
  const took = contestants.map((): Array<number> => [])
  const values: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    for (const [place, contestant] of contestants.entries()) {
      const { millis, value } = yield* millisOf(contestant)
      took[place]?.push(millis)
      values[place] = value
    }
  }
  return took.map((millis, place) => ({ median: middle(millis), value: values[place] ?? 0 }))
})

const planOf = (audience: AudiencePlan["audience"], now: DateTime.Utc): AudiencePlan => ({
  broadcastId: null,
  audience,
  exclude: noContact,
  reaches: ["phone", "chat_user"],
  isMarketing: true,
  lacking: noContact,
  variants: [],
  caps: [],
  keepsVariantsOf: null,
  splitKey: "bench",
  holdOut: 0,
  startsAt: now,
  times: null
})

const bought = (place: number, more: object = {}): FilterInput => ({
  field: "product",
  op: "bought",
  value: { productIds: [productAt(place)], ...more }
})
const eur = (amountMinor: number) => ({ amountMinor, currency: "EUR" })

/** Each filter, and the minimum reads that its answer needs. */
const questions: ReadonlyArray<readonly [name: string, filter: FilterInput, bare: string]> = [
  ["everybody", {}, "SELECT id FROM contacts WHERE organization_id = $org"],
  [
    "bought what half of the orders have",
    bought(0),
    "SELECT contact_id FROM store_order_lines WHERE organization_id = $org AND external_product_id = 'p0'"
  ],
  [
    "bought what one order in 1,000 has",
    bought(9),
    "SELECT contact_id FROM store_order_lines WHERE organization_id = $org AND external_product_id = 'p9'"
  ],
  [
    "bought what a quarter has, in the last 30 days",
    bought(1, { withinDays: 30 }),
    "SELECT contact_id FROM store_order_lines WHERE organization_id = $org AND external_product_id = 'p1' AND placed_at >= now() - interval '30 days'"
  ],
  [
    "never bought what half of the orders have",
    { not: bought(0) },
    "SELECT id FROM contacts WHERE organization_id = $org EXCEPT SELECT contact_id FROM store_order_lines WHERE organization_id = $org AND external_product_id = 'p0'"
  ],
  [
    "five orders at least",
    { field: "orderCount", op: "gte", value: 5 },
    "SELECT contact_id FROM store_lifetime_totals WHERE organization_id = $org AND order_count >= 5"
  ],
  [
    "spent 500 at least",
    { field: "spent", op: "gte", value: eur(50_000) },
    "SELECT contact_id FROM store_lifetime_totals WHERE organization_id = $org AND currency = 'EUR' AND spent_minor >= 50000"
  ],
  [
    "ordered in the last 90 days",
    { field: "lastOrderAt", op: "within_days", value: 90 },
    "SELECT contact_id FROM store_lifetime_totals WHERE organization_id = $org AND last_order_at >= now() - interval '90 days'"
  ],
  [
    "spent 500, and bought one of two, but not lately",
    {
      all: [
        { field: "spent", op: "gte", value: eur(50_000) },
        { any: [bought(2), bought(3)] },
        { field: "lastOrderAt", op: "not_within_days", value: 60 }
      ]
    },
    "SELECT contact_id FROM store_lifetime_totals WHERE organization_id = $org AND currency = 'EUR' AND spent_minor >= 50000 AND last_order_at < now() - interval '60 days' INTERSECT SELECT contact_id FROM store_order_lines WHERE organization_id = $org AND external_product_id IN ('p2', 'p3')"
  ]
]

const measureFilters = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [audiences, contacts] = [yield* Audiences, yield* Contacts]
  const now = yield* DateTime.now
  const named = new Set(Array.from({ length: productCount }, (_, place) => productAt(place)))
  for (const [name, input, bare] of questions) {
    const { faults, filter } = readFilter(input, "", {
      now,
      fields: [],
      tags: new Set(),
      segments: new Map(),
      others: commerceFilterFields,
      named: new Map([["product", named]])
    })
    if (faults.length > 0) return yield* Effect.die(new Error(JSON.stringify(faults)))
    const audience = Object.keys(input).length === 0 ? anyContact : filter
    const text = bare.replaceAll("$org", `'${buyersLine.organizationId}'`)
    const [least, preview, list] = yield* inTurn<
      unknown,
      SqlClient.SqlClient | Effect.Services<ReturnType<typeof audiences.count>>
    >([
      Effect.map(
        sql<{ readonly n: number }>`
          SELECT count(*)::integer AS n FROM contacts AS c
          WHERE c.organization_id = ${buyersLine.organizationId} AND c.id IN (${sql.literal(text)})`.unprepared,
        (rows) => rows[0]?.n ?? 0
      ),
      Effect.map(audiences.count(planOf(audience, now)), ({ matched }) => matched),
      Effect.map(
        contacts.list({ filter: audience, search: null, sort: "-createdAt" }, { limit: 25, after: null }),
        ({ rows }) => rows.length
      )
    ])
    if (least === undefined || preview === undefined || list === undefined) continue
    yield* Console.log(
      `${name}: ${preview.value} contacts; preview ${preview.median} ms, bare ${least.median} ms, ratio ${(preview.median / least.median).toFixed(2)}; a page ${list.median} ms${least.value === preview.value ? "" : ` (bare: ${least.value})`}`
    )
  }
})

const measureReads = Effect.fnUntraced(function* (orders: number) {
  const [commerce, kept] = [yield* ContactCommerceRecords, yield* StoreOrders]
  for (const q of [`#${orders - 7}`, `${Math.floor(orders / 2)}`, "nobody", "#1", "9x"]) {
    const took: Array<number> = []
    let found = 0
    for (let round = 0; round < rounds; round++) {
      const { millis, value } = yield* millisOf(
        kept.list({ ...allOrders, search: parseOrderSearch(q) }, { limit: 25, after: null })
      )
      took.push(millis)
      found = value.length
    }
    yield* Console.log(`orders?q=${q}: ${found} found in ${middle(took)} ms`)
  }
  for (const [name, number] of [
    [`a contact with more than ${mostOrders} orders`, 0],
    ["a usual contact", 777]
  ] as const) {
    const took: Array<number> = []
    for (let round = 0; round < 200; round++) {
      took.push((yield* millisOf(commerce.read(ContactId.make(contactAt(number)), 10))).millis)
    }
    yield* Console.log(`commerce of ${name}: p50 ${middle(took)} ms, p99 ${middle(took, 0.99)} ms`)
  }
})

/** Duration of audience queries by purchases, and of reads of a contact's purchases. */
export const commerceAudience = Command.make(
  "commerce-audience",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
      Flag.optional
    ),
    contacts: Flag.Int("contacts").pipe(Flag.withDefault(1_000_000)),
    orders: Flag.Int("orders").pipe(Flag.withDefault(3_000_000))
  },
  Effect.fnUntraced(function* ({ contacts, orders, server }) {
    const url = yield* BenchDatabase.make(yield* databaseServer(server))
    const connection = Postgres.Database.layer({ url, maxConnections: 1 })
    yield* Effect.gen(function* () {
      const { millis } = yield* millisOf(withoutIndexes(tables, seedCommerce(contacts, orders)))
      const sql = yield* SqlClient.SqlClient
      for (const table of [...tables, "store_products"]) yield* sql`VACUUM ANALYZE ${sql.literal(table)}`
      yield* sql`CHECKPOINT`
      yield* Console.log(`${contacts} contacts and ${orders} orders, made in ${Math.round(millis / 1_000)} s`)
      yield* within(buyersLine.organizationId)(Effect.andThen(measureFilters, measureReads(orders)))
    }).pipe(
      Effect.provideService(CurrentStorageTimeout, new StorageTimeout(Number.POSITIVE_INFINITY)),
      Effect.provide(Postgres.layer.pipe(Layer.provideMerge(Postgres.Migrations.layer), Layer.provideMerge(connection)))
    )
  }, Effect.scoped)
).pipe(Command.withDescription("Measures audiences by purchases, and reads of the purchases of a contact"))
