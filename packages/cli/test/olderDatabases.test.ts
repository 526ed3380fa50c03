import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Organization } from "@parley/domain/platform"
import { Database, Embedded } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, FileSystem, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { commandLine, printed } from "./support/commandLine.ts"
import { freePort, runParley, startParley } from "./support/process.ts"

/** Records the migrations that a database had before the baselines. */
const makeOlder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM parley_migrations`
  yield* sql`
    ALTER TABLE parley_migrations DROP COLUMN release, DROP COLUMN phase, DROP COLUMN compatible_from, DROP COLUMN started_at`
  yield* sql`
    INSERT INTO parley_migrations (id, name, applied_at)
    VALUES (1, 'foundation', now()), (85, 'password changes', now())`
})

const refusal = /was created before the baselines of release 0\.2\.0 \(migrations 1 to 85\) and is at migration 85\./

describe("a database created before the baselines", () => {
  it.effect("is refused by commands on a server", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* makeOlder.pipe(Effect.provide(Database.layer({ url, maxConnections: 1 })))
      const { parley } = commandLine({ PARLEY_DATABASE_URL: Redacted.value(url) })
      const [migrate, list] = [yield* parley("migrate"), yield* parley("org", "list")]
      assert.deepStrictEqual([migrate.code, list.code], [4, 4])
      assert.match(migrate.err, refusal)
      assert.match(list.err, refusal)
      const status = yield* parley("migrate", "--status")
      assert.match(status.out, /^ 1 +foundation +applied/m)
      assert.match(status.out, /^85 +password changes +applied/m)
      assert.notInclude(status.out, "pending")
      assert.match(status.err, refusal)
      const doctor = yield* parley("doctor", "--port", "1")
      assert.strictEqual(doctor.code, 1)
      assert.match(doctor.out, /^failed +migrations +the database was created before release 0\.2\.0$/m)
    })
  )

  it.live(
    "is refused in a data folder, and moved aside by the demo",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" }))
        const directory = `${folder}/data`
        const environment = { PARLEY_DATA_DIR: directory, PARLEY_PORT: String(yield* freePort) }
        const parley = (...args: ReadonlyArray<string>) => runParley(environment, "", ...args)
        assert.strictEqual((yield* parley("migrate")).code, 0)
        yield* makeOlder.pipe(Effect.provide(Embedded.layer({ directory, maxConnections: 1 })))

        const refused = yield* parley("demo")
        assert.strictEqual(refused.code, 4)
        assert.match(refused.err, refusal)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["data"])

        yield* fs.writeFileString(`${directory}/demo.json`, "{}")
        const aside = `${directory}.before-0.2.0`
        yield* fs.makeDirectory(aside)
        assert.match((yield* parley("org", "list")).err, refusal)
        const demo = yield* startParley(environment, "demo")
        yield* demo.says(/Parley is running at/)
        const lines = demo.output().err.split("\n")
        assert.deepStrictEqual(
          lines.filter((line) => line.includes("0.2.0")),
          [
            `The database of the demo was created before release 0.2.0. Its folder is now ${aside}-2, and the demo starts with a new one.`
          ]
        )
        assert.isTrue(yield* fs.exists(`${aside}-2/database/data/PG_VERSION`))
        const organizations = yield* printed(Schema.Array(Organization), yield* parley("org", "list", "--json"))
        assert.deepStrictEqual(
          organizations.map(({ slug }) => slug),
          ["demo-acme", "demo-corner-shop"]
        )
        yield* demo.signal("SIGTERM")
        assert.strictEqual((yield* demo.ended).code, 0)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    240_000
  )
})
