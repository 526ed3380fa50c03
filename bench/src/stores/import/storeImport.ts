import { StorageTimeout, CurrentStorageTimeout } from "@parley/domain"
import { Console, Effect, FileSystem, Path, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { checkpoint } from "../../database/checkpoint.ts"
import { figure, table } from "../../report/table.ts"
import { runImport } from "./running.ts"

type Seen = Parameters<Parameters<typeof runImport>[2]>[0]

const tablesOf = {
  products: ["store_products"],
  customers: ["contacts", "contact_identities", "contact_search_words", "consent_changes", "store_customers"],
  orders: ["store_orders", "store_order_lines", "store_lifetime_totals"]
} as const

const phases = ["products", "customers", "orders"] as const

const mebibytes = (bytes: number) => bytes / 2 ** 20

/** How long the server takes to copy the same rows into the same tables, which are empty. */
const copied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-store-import-" })
  // The server writes the files.
  yield* fs.chmod(folder, 0o777)
  const copy = (name: string, way: "FROM" | "TO") =>
    sql`COPY ${sql(name)} ${sql.literal(way)} ${sql.literal(`'${path.join(folder, name)}'`)} WITH (FORMAT binary)`
      .unprepared
  const all = phases.flatMap((phase) => tablesOf[phase])
  for (const name of all) yield* copy(name, "TO")
  yield* sql`TRUNCATE ${sql.literal(all.join(", "))} CASCADE`
  yield* checkpoint
  return yield* Effect.forEach(phases, (phase) =>
    Effect.gen(function* () {
      const begun = performance.now()
      for (const name of tablesOf[phase]) yield* copy(name, "FROM")
      return (performance.now() - begun) / 1_000
    })
  )
}).pipe(Effect.scoped)

/** Work of a phase: from its first observation until another phase. */
const during = (seen: Seen, phase: string) => {
  const first = seen.findIndex((each) => each.phase === phase)
  const after = seen.findIndex((each, place) => place > first && each.phase !== phase)
  const [from, to] = [seen[first], seen[after]]
  if (from === undefined || to === undefined) return { seconds: 0, statements: 0 }
  return { seconds: to.seconds - from.seconds, statements: to.statements - from.statements }
}

const rssAt = (seen: Seen, part: number) => {
  const all = seen.at(-1)?.records ?? 0
  return mebibytes(seen.find(({ records }) => records >= all * part)?.residentBytes ?? 0)
}

const count = (name: string, usual: number) =>
  Flag.Int(name).pipe(
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 }))),
    Flag.withDefault(usual)
  )

/** First import of a shop, compared with the bare `COPY` of the same rows, and with kills in between. */
export const storeImport = Command.make(
  "store-import",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
      Flag.optional
    ),
    orders: count("orders", 20_000),
    customers: count("customers", 5_000),
    products: count("products", 500),
    kills: Flag.Int("kills").pipe(
      Flag.withDescription("How often another import of the shop is killed (3)"),
      Flag.withDefault(3)
    ),
    makeContacts: Flag.Literals("make-contacts", ["never", "reachable"]).pipe(
      Flag.withDescription("Of which customers contacts are made (reachable)"),
      Flag.withDefault("reachable" as const)
    )
  },
  Effect.fnUntraced(function* ({ kills, ...options }) {
    yield* runImport(options, 0, (seen) =>
      Effect.gen(function* () {
        // For any number of rows: no request deadline applies.
        const bare = yield* copied.pipe(
          Effect.provideService(CurrentStorageTimeout, new StorageTimeout(Number.POSITIVE_INFINITY))
        )
        yield* Console.log(
          table(
            ["first import", "records", "seconds", "records/s", "COPY s", "times COPY", "statements"],
            phases.map((phase, place) => {
              const { seconds, statements } = during(seen, phase)
              const rows = options[phase]
              const least = bare[place] ?? 0
              return [
                phase,
                figure(rows),
                figure(seconds, 1),
                figure(rows / seconds),
                figure(least, 2),
                figure(seconds / least, 1),
                figure(statements)
              ]
            })
          )
        )
        const [quarter, half, end] = [0.25, 0.5, 1].map((part) => figure(rssAt(seen, part)))
        yield* Console.log(`RSS at 25 %, 50 % and 100 %: ${quarter}, ${half} and ${end} MiB. The shop's books agree.`)
      })
    )
    if (kills === 0) return
    yield* runImport(options, kills, (seen) =>
      Console.log(
        `Killed ${kills} times, done after ${figure(seen.at(-1)?.seconds ?? 0, 1)} s. The shop's books agree.`
      )
    )
  })
).pipe(Command.withDescription("Measures the first import of a shop, compared with a bare COPY of its rows"))
