import { ContactId, Contacts, CurrentActor, CurrentOrganization, OrganizationId } from "@parley/domain"
import { Database, layer as layerStorage } from "@parley/postgres-adapter"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { misspelled, questions } from "./corpus.ts"
import { organizationAt } from "./seedContacts.ts"

const repetitions = 3

interface Taken {
  readonly name: string
  readonly millis: ReadonlyArray<number>
  readonly rows: number
  readonly touched: number
}

const touchedRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [row] = yield* sql<{ readonly rows: number; readonly scans: number }>`
    SELECT (idx_tup_fetch + seq_tup_read)::float8 AS rows, seq_scan::float8 AS scans
    FROM pg_stat_user_tables WHERE relname = 'contacts'`
  return row ?? { rows: 0, scans: 0 }
})

const measure = Effect.fnUntraced(function* <A, E, R>(name: string, ask: Effect.Effect<ReadonlyArray<A>, E, R>) {
  const before = yield* touchedRows
  let rows = 0
  const millis: Array<number> = []
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const begun = performance.now()
    rows = (yield* ask).length
    millis.push(performance.now() - begun)
    if (Math.max(...millis) > 1_000) break
  }
  if (Math.min(...millis) > 300) yield* Console.log(`SLOW: ${name} ${Math.min(...millis).toFixed(0)} ms`)
  const after = yield* touchedRows
  if (after.scans > before.scans) yield* Console.log(`SEQUENTIAL SCAN: ${name}`)
  return { name, millis, rows, touched: Math.round((after.rows - before.rows) / millis.length) } satisfies Taken
})

const quantile = (sorted: ReadonlyArray<number>, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const summary = (name: string, taken: ReadonlyArray<Taken>) => {
  const millis = taken.flatMap((each) => each.millis).toSorted((one, other) => one - other)
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(millis, share).toFixed(1))
  return `${name}: ${taken.length} questions, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`
}

const kindOf = (name: string) =>
  name.startsWith("search") ? "searches" : /^(?:first|deep) by/.test(name) ? "pages" : "filtered pages"

const askAll = Effect.fnUntraced(function* (place: number) {
  const contacts = yield* Contacts
  const sql = yield* SqlClient.SqlClient
  const organization = organizationAt(place)
  const ids = yield* sql<{ readonly id: string }>`
    SELECT id FROM contacts WHERE organization_id = ${organization} ORDER BY name_key LIMIT 50`
  const taken: Array<Taken> = []
  const inside = Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organization) })
  for (const { id } of ids) {
    taken.push(
      yield* measure(
        "id",
        Effect.map(contacts.get(ContactId.make(id)), (contact) => [contact])
      ).pipe(inside)
    )
  }
  for (const { name, query, slice } of questions(place)) {
    taken.push(
      yield* measure(
        name,
        Effect.map(contacts.list(query, slice), ({ rows }) => rows)
      ).pipe(inside)
    )
  }
  for (const word of misspelled) {
    taken.push(yield* measure(`misspelled ${word}`, contacts.wordsLike(word)).pipe(inside))
  }
  yield* Console.log(`\nThe organization at place ${place}`)
  for (const [kind, group] of Map.groupBy(taken, ({ name }) =>
    name === "id" ? "ids" : name.startsWith("misspelled") ? "misspelled words" : kindOf(name)
  )) {
    yield* Console.log(summary(kind, group))
  }
  const slowest = taken.toSorted((one, other) => Math.max(...other.millis) - Math.max(...one.millis)).slice(0, 40)
  for (const { millis, name, rows, touched } of slowest) {
    yield* Console.log(
      `  ${Math.max(...millis)
        .toFixed(1)
        .padStart(8)} ms at most, ${quantile(
        millis.toSorted((one, other) => one - other),
        0.5
      ).toFixed(1)} median: ${name} (${rows} found, ${touched} rows touched)`
    )
  }
})

/** Sends all kinds of queries of contact lists, to a large and a small organization. */
export const contactsCommand = Command.make(
  "contacts",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("The PostgreSQL server with the database that seed-contacts made"),
      Flag.optional
    ),
    database: Flag.String("database").pipe(Flag.withDefault("parley_bench_crm"))
  },
  Effect.fnUntraced(function* ({ database, server }) {
    const url = new URL(
      Redacted.value(Option.getOrElse(server, () => Redacted.make("postgres://postgres@127.0.0.1:5432/postgres")))
    )
    url.pathname = `/${database}`
    yield* Effect.gen(function* () {
      yield* askAll(0)
      yield* askAll(7)
    }).pipe(
      Effect.provideService(CurrentActor, { kind: "operator", name: "bench" }),
      Effect.provide(
        layerStorage.pipe(
          Layer.provideMerge(
            Database.layer({ url: Redacted.make(url.toString()), maxConnections: 1, statementTimeout: "2 minutes" })
          )
        )
      )
    )
  })
).pipe(Command.withDescription("Measures lists and searches of contacts in the database that seed-contacts made"))
