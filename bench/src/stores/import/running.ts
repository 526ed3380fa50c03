import { connectStore, syncStore } from "@parley/domain"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { codeChallenge, finishJourney } from "@parley/testkit"
import { Effect, Exit, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { fileURLToPath } from "node:url"
import { startFleet } from "../../campaigns/fleet/fleet.ts"
import { within } from "../../campaigns/given.ts"
import { ownLine } from "../../chat/provider.ts"
import * as BenchDatabase from "../../database/BenchDatabase.ts"
import { ToolFailed } from "../../load/ToolFailed.ts"
import { processUse } from "../../machine/ProcessUse.ts"
import { databaseServer } from "../../Options.ts"
import { layerPorts } from "../../tenants/ports.ts"
import { requireBooks } from "./books.ts"
import { layerGeneratedShop, shopDomain, type ShopSize } from "./GeneratedShop.ts"

/** The source and the options of the import. */
export interface ImportOptions extends ShopSize {
  readonly server: Parameters<typeof databaseServer>[0]
  readonly makeContacts: "never" | "reachable"
}

/** Observed progress of an import at a time. */
interface Seen {
  readonly seconds: number
  readonly phase: string
  readonly records: number
  readonly statements: number
  readonly residentBytes: number
}

const { organizationId } = ownLine(0)

const prepare = Effect.fnUntraced(function* (makeContacts: ImportOptions["makeContacts"]) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    VALUES (${organizationId}, 'Sellers', 'sellers', 'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1)`
  yield* Effect.gen(function* () {
    const { authorizeUrl, id } = yield* connectStore({ provider: "shopify", shopDomain, makeContacts, codeChallenge })
    const state = new URL(authorizeUrl).searchParams.get("state") ?? ""
    yield* finishJourney(id, { state })
    yield* syncStore({ id, full: true })
  }).pipe(within(organizationId))
})

const look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{
    readonly state: string
    readonly phase: string
    readonly records: number
    readonly error: string | null
  }>`
    SELECT j.state, j.error, coalesce(c.sync->>'phase', 'done') AS phase, j.progress_done AS records
    FROM jobs AS j JOIN store_connections AS c ON c.organization_id = j.organization_id
    WHERE j.organization_id = ${organizationId} AND j.kind = 'stores.sync'`
  if (found === undefined || found.state === "failed") {
    return yield* new ToolFailed({
      tool: "store-import",
      output: `The import has failed: ${found?.error ?? "there is none"}`
    })
  }
  return found
})

/**
 * Imports the shop in a separate process that is killed a number of times at different places, and compares the stored data with the shop. Then
 * runs `then` on the same database.
 */
export const runImport = <A, E, R>(
  options: ImportOptions,
  kills: number,
  then: (seen: ReadonlyArray<Seen>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const databaseUrl = yield* BenchDatabase.make(yield* databaseServer(options.server))
    const masterKeys = yield* generateMasterKey("bench")
    const entry = fileURLToPath(new URL("worker.ts", import.meta.url))
    const env = {
      BENCH_DATABASE_URL: databaseUrl,
      BENCH_MASTER_KEYS: masterKeys,
      BENCH_PRODUCTS: String(options.products),
      BENCH_CUSTOMERS: String(options.customers),
      BENCH_ORDERS: String(options.orders)
    }
    const parent = yield* Effect.scope
    const born = Effect.gen(function* () {
      const life = yield* Scope.fork(parent)
      const fleet = yield* Scope.provide(startFleet({ name: "store-import", entry, processes: 1, env }), life)
      yield* fleet.go
      return { fleet, end: Scope.close(life, Exit.void) }
    })
    return yield* Effect.gen(function* () {
      yield* prepare(options.makeContacts)
      const all = options.products + options.customers + options.orders
      const seen: Array<Seen> = []
      let [current, killed] = [yield* born, 0]
      const begun = performance.now()
      for (;;) {
        const { phase, records, state } = yield* look
        const [pid = 0] = current.fleet.pids
        const { residentBytes } = yield* processUse(pid)
        const seconds = (performance.now() - begun) / 1_000
        seen.push({ seconds, phase, records, statements: current.fleet.statements(), residentBytes })
        if (state === "succeeded") break
        if (killed < kills && records > (all * (killed + 1)) / (kills + 2)) {
          killed += 1
          yield* current.end
          current = yield* born
        }
        yield* Effect.sleep("20 millis")
      }
      yield* current.end
      yield* requireBooks(options, options.makeContacts !== "never")
      return yield* then(seen)
    }).pipe(Effect.provide(layerPorts({ databaseUrl, masterKeys, poolSize: 4, stores: layerGeneratedShop(options) })))
  }).pipe(Effect.scoped)
