import { assert, describe, it, layer } from "@effect/vitest"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Effect, Redacted } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { freePort, startParley } from "./support/process.ts"

const inTime = 120_000

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-backup-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const emptyDatabase = Effect.map(Effect.orDie(freshDatabase), (url) => Redacted.value(url))

/** The members of an archive, with their rows in alphabetical order. A restore revokes sessions. */
const contentsOf = (file: string) => {
  const tar = zstdDecompressSync(readFileSync(file))
  const members = new Map<string, ReadonlyArray<string>>()
  for (let at = 0; tar[at] !== 0;) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/su, "")
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8)
    const lines = tar.toString("utf8", at + 512, at + 512 + size).split("\n")
    if (name.startsWith("tables/") && !name.endsWith("-sessions.copy")) members.set(name, lines.toSorted())
    at += 512 + Math.ceil(size / 512) * 512
  }
  return members
}

it.live(
  "a backup next to a running demo verifies, and a restore on a server has equal tables and is on hold",
  () =>
    Effect.gen(function* () {
      const path = yield* folder
      const dataDir = join(path, "data")
      const port = yield* freePort
      const source = { PARLEY_DATA_DIR: dataDir }
      const demo = yield* startParley(source, "demo", "--port", String(port))
      yield* demo.says(/Press Ctrl-C|Documentation|documentation/)
      const { parley } = commandLine(source)
      const running = join(path, "running.parley")
      assert.strictEqual((yield* parley("backup", running)).code, 0)
      yield* demo.signal("SIGTERM")
      yield* demo.ended

      const verified = yield* parley("verify", running, "--json")
      assert.deepStrictEqual([verified.code, verified.err], [0, ""], verified.out)
      const stopped = join(path, "stopped.parley")
      assert.match((yield* parley("backup", stopped)).out, /^Wrote .*stopped\.parley: \d+ rows of \d+ tables at /)

      const target = {
        PARLEY_DATABASE_URL: yield* emptyDatabase,
        PARLEY_MASTER_KEYS: readFileSync(join(dataDir, "master-keys"), "utf8").trim()
      }
      const restored = commandLine(target).parley
      const outcome = yield* restored("restore", stopped)
      assert.strictEqual(outcome.code, 0, outcome.err)
      assert.match(outcome.err, /The installation is on hold/)
      const again = join(path, "again.parley")
      assert.strictEqual((yield* restored("backup", again)).code, 0)
      const [before, after] = [contentsOf(stopped), contentsOf(again)]
      assert.isAbove([...before.values()].filter(({ length }) => length > 1).length, 30)
      assert.deepStrictEqual([...after.keys()], [...before.keys()])
      for (const [name, lines] of before) assert.deepStrictEqual(after.get(name), lines, name)

      assert.match((yield* restored("workers")).err, /on hold since .* restored from stopped\.parley/)
      assert.match((yield* restored("doctor")).out, /warning +hold /)
      const other = yield* freePort
      const service = yield* startParley(target, "serve", "--port", String(other))
      yield* service.says(/Parley listens on/)
      const ready = yield* Effect.promise(() => fetch(`http://127.0.0.1:${other}/readyz`))
      assert.strictEqual(ready.status, 200)
      assert.match((yield* restored("hold", "show")).out, /^On hold since .*\nWAITING/)
      assert.strictEqual((yield* restored("hold", "release")).code, 2)
      assert.strictEqual((yield* restored("hold", "release", "--yes")).code, 0)
      yield* service.says(/The background work starts/)
      assert.strictEqual((yield* restored("hold", "release", "--yes")).code, 1)
      yield* service.signal("SIGTERM")
      yield* service.ended
    }).pipe(Effect.scoped),
  inTime
)

describe("parley restore", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    const backedUp = Effect.gen(function* () {
      const environment = yield* OnServer
      const { parley } = commandLine(environment)
      yield* parley("keys", "rotate")
      const path = yield* folder
      const { code, err } = yield* parley("backup", path)
      assert.deepStrictEqual([code, err], [0, "The master keys are not in it. Store them separately."])
      const [name] = readdirSync(path)
      assert.match(name ?? "", /^parley-\d{8}T\d{6}Z\.parley$/)
      return { environment, path, file: join(path, name ?? "") }
    })

    it.effect("refuses a database with rows, and replaces them after a confirmation", () =>
      Effect.gen(function* () {
        const { environment, file } = yield* backedUp
        const { parley } = commandLine(environment)
        const refused = yield* parley("restore", file)
        assert.deepStrictEqual(refused.code, 1)
        assert.match(refused.err, /^parley: The database is not empty: the table \w+ has rows\./)
        assert.strictEqual((yield* parley("restore", file, "--replace")).code, 2)
        assert.strictEqual((yield* parley("hold", "show")).out.split("\n")[0], "The installation is not on hold.")
        assert.strictEqual((yield* parley("restore", file, "--replace", "--yes")).code, 0)
      })
    )

    it.effect("names a missing and a different master key, and changes nothing", () =>
      Effect.gen(function* () {
        const { file } = yield* backedUp
        const url = yield* emptyDatabase
        const keyNamed = (id: string) => Effect.map(generateMasterKey(id), (key) => Redacted.value(key))
        for (const [id, problem] of [
          ["k2", "the master key k1 is missing"],
          ["k1", "the master key k1 is not the key of the backup"]
        ] as const) {
          const { parley } = commandLine({ PARLEY_DATABASE_URL: url, PARLEY_MASTER_KEYS: yield* keyNamed(id) })
          const { code, err } = yield* parley("restore", file)
          assert.strictEqual(code, 3)
          assert.include(err, problem)
          assert.match((yield* parley("hold", "show")).out, /^The installation is not on hold\./)
        }
      })
    )

    it.effect("and verify refuse a damaged file with 1, and leave the database empty", () =>
      Effect.gen(function* () {
        const { environment, file, path } = yield* backedUp
        const bytes = readFileSync(file)
        const broken = join(path, "broken.parley")
        writeFileSync(broken, bytes.subarray(0, bytes.length - 100))
        const { parley } = commandLine({ ...environment, PARLEY_DATABASE_URL: yield* emptyDatabase })
        for (const command of ["restore", "verify"]) {
          const { code, err } = yield* parley(command, broken)
          assert.strictEqual(code, 1)
          assert.match(err, /broken\.parley cannot be used: /)
        }
        assert.strictEqual((yield* parley("restore", file)).code, 0)
      })
    )
  })
})
