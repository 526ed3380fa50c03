import { assert, describe, layer } from "@effect/vitest"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { bringEmbeddedUpToDate } from "@parley/service/database"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

describe("parley migrate", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("plans, expands and contracts a database without missing migrations, and changes nothing", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        for (const flag of ["--plan", "--expand", "--contract"]) {
          const outcome = yield* parley("migrate", flag)
          assert.deepStrictEqual(outcome, { code: 0, out: "The database is up to date.", err: "" })
          assert.strictEqual((yield* parley("migrate", flag, "--json")).out, "[]")
        }
      })
    )

    it.effect("refuses flags that exclude each other", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        const { code, err } = yield* parley("migrate", "--plan", "--contract")
        assert.deepStrictEqual([code, err], [2, "parley: Specify only --status, --plan, --expand or --contract."])
        assert.strictEqual((yield* parley("migrate", "--lock-wait", "-1")).code, 2)
      })
    )

    it.effect("plans an empty database, and ends with 4 while another transaction blocks the first migration", () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const { parley } = commandLine({ PARLEY_DATABASE_URL: Redacted.value(url) })
        const sql = yield* Effect.map(Layer.build(Database.layer({ url, applicationName: "report" })), (context) =>
          Effect.provide(SqlClient.SqlClient, context)
        ).pipe(Effect.flatten)
        yield* sql`DROP SCHEMA public CASCADE`
        yield* sql`CREATE SCHEMA public`
        for (const words of [
          ["backup", "none.parley"],
          ["hold", "show"],
          ["hold", "release", "--yes"]
        ]) {
          const message = "parley: The database has no schema. Create it: parley migrate"
          assert.deepStrictEqual(yield* parley(...words), { code: 4, out: "", err: message })
        }
        assert.match(
          (yield* parley("migrate", "--plan")).out,
          /^ +1 +platform +expand +none that blocks calls +1 s +0\.1\.0$/m
        )
        const blocked = yield* sql.withTransaction(
          Effect.andThen(sql`CREATE TABLE organizations (id uuid)`, parley("migrate", "--lock-wait", "0"))
        )
        assert.strictEqual(blocked.code, 4)
        assert.match(blocked.err, /^parley: Migration 1 platform got no lock within 0 s/m)
        yield* sql`DROP TABLE organizations`
        const embedded = yield* sql.withTransaction(
          Effect.andThen(
            sql`CREATE TABLE organizations (id uuid)`,
            bringEmbeddedUpToDate({ lockWait: 0 }).pipe(Effect.provide(Database.layer({ url })), Effect.flip)
          )
        )
        assert.match(embedded.message, /^Migration 1 platform got no lock within 0 s/)
        yield* sql`DROP TABLE organizations`
        assert.match((yield* parley("migrate")).out, /^Applied 8 automation\.$/m)
      })
    )
  })
})
