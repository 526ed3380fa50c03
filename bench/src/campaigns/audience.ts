import {
  type AudiencePlan,
  Audiences,
  Broadcast,
  BroadcastId,
  Broadcasts,
  CurrentActor,
  CurrentOrganization,
  anyContact,
  maxSliceSize,
  noContact,
  OrganizationId,
  TagId,
  transact,
  toDraft
} from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import { Clock, Console, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { organizationAt, tagAt } from "../crm/seedContacts.ts"

const organization = { id: OrganizationId.make(organizationAt(0)) }

const times = 7

/** The first statement after a pause reads its table from the disk. The report includes its time. */
const timed = Effect.fnUntraced(function* <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) {
  const took: Array<number> = []
  for (let round = 0; round < times; round++) {
    const begin = yield* Clock.currentTimeMillis
    yield* effect
    took.push((yield* Clock.currentTimeMillis) - begin)
  }
  const [first = 0] = took
  const median = took.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? 0
  yield* Console.log(`${name}: ${median} ms (first ${first} ms)`)
})

const planned = (now: DateTime.Utc, overrides: Partial<AudiencePlan> = {}): AudiencePlan => ({
  broadcastId: null,
  audience: anyContact,
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
  times: null,
  ...overrides
})

const givenBroadcast = Effect.fnUntraced(function* (now: DateTime.Utc) {
  const id = BroadcastId.make(SecureRandom.uuidV7Unsafe())
  const draft = toDraft(id, { name: "Bench", audience: {} }, now, { kind: "operator", name: "bench" })
  const broadcast = new Broadcast({ ...draft, status: "sending", startedAt: now })
  yield* transact(Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.insert(broadcast)))
  return id
})

const clear = Effect.fnUntraced(function* (id: BroadcastId) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM broadcast_recipients WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
  yield* sql`DELETE FROM broadcasts WHERE organization_id = ${organization.id} AND id = ${id}`
  yield* sql`VACUUM broadcast_recipients`
  yield* sql`CHECKPOINT`
})

const freezeAll = Effect.fnUntraced(function* (plan: AudiencePlan, id: BroadcastId) {
  const audiences = yield* Audiences
  const begin = yield* Clock.currentTimeMillis
  let [listed, longest] = [0, 0]
  for (let done = false; !done;) {
    const from = yield* Clock.currentTimeMillis
    const slice = yield* transact(audiences.freeze(id, plan, { limit: maxSliceSize, room: null, snapshotId: null }))
    longest = Math.max(longest, (yield* Clock.currentTimeMillis) - from)
    listed += slice.listed
    done = slice.done
  }
  return { listed, longest, took: (yield* Clock.currentTimeMillis) - begin }
})

/** The same columns of the same contacts in slices of the same size, without further checks. */
const insertAll = Effect.fnUntraced(function* (id: BroadcastId) {
  const sql = yield* SqlClient.SqlClient
  const begin = yield* Clock.currentTimeMillis
  let [after, listed] = ["00000000-0000-0000-0000-000000000000", 0]
  for (let done = false; !done;) {
    const [row] = yield* sql<{ readonly taken: number; readonly last: string | null }>`
      WITH added AS (
        INSERT INTO broadcast_recipients (organization_id, broadcast_id, seq, contact_id, address_kind, address, status)
        SELECT ${organization.id}, ${id}, ${listed} + row_number() OVER (ORDER BY c.id), c.id, 'phone', c.phone, 'pending'
        FROM (
          SELECT id, phone FROM contacts WHERE organization_id = ${organization.id} AND id > ${after}::uuid
          ORDER BY id LIMIT ${maxSliceSize}
        ) AS c
        RETURNING contact_id
      )
      SELECT count(*)::integer AS taken, (SELECT contact_id FROM added ORDER BY contact_id DESC LIMIT 1) AS last
      FROM added`.unprepared
    listed += row?.taken ?? 0
    after = row?.last ?? after
    done = (row?.taken ?? 0) < maxSliceSize
  }
  return { listed, took: (yield* Clock.currentTimeMillis) - begin }
})

const measure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  yield* sql`SET statement_timeout = 0`
  const plan = planned(now)
  const tagged = (place: number) => ({ kind: "tagged", tag: TagId.make(tagAt(0, place)) }) as const
  const { excluded, matched } = yield* audiences.count(plan)
  yield* Console.log(`${matched} contacts match, of whom get nothing: ${JSON.stringify(excluded)}`)
  yield* timed("Count everybody", audiences.count(plan))
  yield* timed("Count who has a tag that half of them have", audiences.count({ ...plan, audience: tagged(0) }))
  yield* timed("Count who has a tag that one in a thousand has", audiences.count({ ...plan, audience: tagged(4) }))
  const score = { kind: "attributeSet", key: "score" } as const
  yield* timed("Count contacts with an attribute", audiences.count({ ...plan, audience: score }))
  const needsCity = { ...plan, lacking: { kind: "not", of: { kind: "attributeSet", key: "city" } } } as const
  yield* timed("Count all contacts, with a variable that needs an attribute", audiences.count(needsCity))
  yield* timed("Sample of everybody", audiences.sample(plan, 10))
  yield* timed("Size of all contacts, a tenth held out", audiences.size({ ...plan, holdOut: 10 }, null))
  for (let round = 0; round < 3; round++) {
    const bare = yield* givenBroadcast(now)
    const least = yield* insertAll(bare)
    yield* clear(bare)
    const id = yield* givenBroadcast(now)
    const frozen = yield* freezeAll({ ...plan, holdOut: 10 }, id)
    yield* clear(id)
    const ratio = (frozen.took / least.took).toFixed(2)
    yield* Console.log(
      `Frozen: ${frozen.listed} in ${frozen.took} ms, the longest slice ${frozen.longest} ms; bare insert: ${least.listed} in ${least.took} ms; ratio ${ratio}`
    )
  }
}).pipe(
  Effect.provideService(CurrentOrganization, organization),
  Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })
)

/** How long it takes to count an audience of a million contacts, and to freeze it. */
export const audienceCommand = Command.make(
  "audience",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("The PostgreSQL server that seed-contacts made the database on"),
      Flag.optional
    ),
    database: Flag.String("database").pipe(Flag.withDefault("parley_bench_crm"))
  },
  Effect.fnUntraced(function* ({ database, server }) {
    const given = Option.getOrElse(server, () => Redacted.make("postgres://postgres@127.0.0.1:5432/postgres"))
    const url = new URL(Redacted.value(given))
    url.pathname = `/${database}`
    const connection = Postgres.Database.layer({ url: Redacted.make(url.toString()), maxConnections: 1 })
    yield* Effect.provide(
      measure,
      Postgres.layer.pipe(Layer.provideMerge(Postgres.Migrations.layer), Layer.provideMerge(connection))
    )
  })
).pipe(Command.withDescription("Measures counting and freezing an audience of seed-contacts"))
