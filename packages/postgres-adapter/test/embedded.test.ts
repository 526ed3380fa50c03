import { assert, describe, it } from "@effect/vitest"
import { Embedded } from "@parley/postgres-adapter"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { accountFor, isRoot, surroundings } from "../src/embedded/Account.ts"
import { sharedPlace } from "../src/embedded/Binaries.ts"

const slow = 120_000

const remove = (path: string) => Effect.promise(() => Fs.rm(path, { recursive: true, force: true }))

/** A folder that does not exist yet. Other users can or cannot enter its parent folder. */
const givenFolder = (name = "data", mode = 0o755) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const parent = await Fs.realpath(await Fs.mkdtemp(join(tmpdir(), "parley-embedded-")))
      await Fs.chmod(parent, mode)
      return parent
    }),
    remove
  ).pipe(Effect.map((parent) => join(parent, name)))

const inFolder = (directory: string) => Effect.provide(Embedded.layer({ directory }), { local: true })

const run = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql`${sql.literal(statement)}`))

const notes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly text: string }>`SELECT text FROM notes ORDER BY text`
  return rows.map(({ text }) => text)
})

const makeNotes = run("CREATE TABLE notes (text text NOT NULL)")

const pidOf = (directory: string) =>
  Effect.promise(() =>
    Fs.readFile(join(directory, "database/data/postmaster.pid"), "utf8").then(
      (text) => Number.parseInt(text, 10),
      () => null
    )
  )

const until = <A, R>(look: Effect.Effect<A, never, R>, isIt: (found: A) => boolean) =>
  Effect.repeat(Effect.delay(look, "20 millis"), { until: isIt })

const program = fileURLToPath(new URL("support/holdFolder.ts", import.meta.url))

/** Another process that uses the folder, and ways to end it. */
const givenUser = (directory: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly end: (signal: NodeJS.Signals) => Effect.Effect<void> }>((resume) => {
      const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] })
      const end = (signal: NodeJS.Signals) =>
        Effect.callback<void>((done) => {
          if (child.exitCode !== null || child.signalCode !== null) return done(Effect.void)
          child.once("exit", () => done(Effect.void))
          child.kill(signal)
        })
      child.stdout.once("data", () => resume(Effect.succeed({ end })))
      child.once("exit", (code) => resume(Effect.die(new Error(`The other process ended with ${code}.`))))
    }),
    ({ end }) => end("SIGKILL")
  )

const whyNot = (directory: string) => Effect.flip(notes.pipe(inFolder(directory)))

describe("the PostgreSQL of a data folder", () => {
  it.live(
    "keeps commits until the next start, and only its owner can read the password",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        yield* makeNotes.pipe(Effect.andThen(run("INSERT INTO notes VALUES ('kept')")), inFolder(directory))
        assert.isNull(yield* pidOf(directory))
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), ["kept"])
        const { mode } = yield* Effect.promise(() => Fs.stat(join(directory, "database/password")))
        assert.strictEqual(mode & 0o777, 0o600)
        const data = yield* Effect.promise(() => Fs.stat(join(directory, "database/data")))
        assert.strictEqual(data.mode & 0o777, 0o700)
        assert.notStrictEqual(data.uid, 0)
      }),
    slow
  )

  it.live(
    "has what the schema needs, flushes what is committed, and takes no one without the password",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const { url } = yield* Embedded.open({ directory })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const name of ["btree_gin", "pg_trgm", "unaccent"]) yield* sql`CREATE EXTENSION ${sql(name)}`
          const [row] =
            yield* sql`SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listens,
            lower('ÄЖ') AS lower, show_trgm('Жж') <> '{}' AS "hasTrigrams"`
          assert.deepStrictEqual({ ...row }, { fsync: "on", listens: "", lower: "äж", hasTrigrams: true })
        }).pipe(inFolder(directory))
        const wrong = new URL(Redacted.value(url))
        wrong.password = "guessed"
        const { Database } = yield* Effect.promise(() => import("@parley/postgres-adapter"))
        const refused = yield* run("SELECT 1").pipe(
          Effect.provide(Database.layer({ url: Redacted.make(wrong.href) })),
          Effect.flip
        )
        assert.strictEqual(refused.reason._tag, "AuthenticationError")
      }),
    slow
  )

  it.live(
    "is shared by processes: one is killed and the others go on, and it stops when the last ends",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const starter = yield* givenUser(directory)
        const other = yield* givenUser(directory)
        const pid = yield* pidOf(directory)
        yield* starter.end("SIGKILL")
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(yield* notes, ["committed", "committed"])
          yield* other.end("SIGTERM")
          assert.deepStrictEqual(yield* notes, ["committed", "committed"])
          assert.strictEqual(yield* pidOf(directory), pid)
        }).pipe(inFolder(directory))
        assert.isNull(yield* pidOf(directory))
      }),
    slow
  )

  it.live(
    "stops automatically when all its users were killed",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const users = yield* Effect.replicateEffect(givenUser(directory), 2, { concurrency: 2 })
        assert.isNotNull(yield* pidOf(directory))
        yield* Effect.forEach(users, ({ end }) => end("SIGKILL"))
        yield* until(pidOf(directory), (pid) => pid === null)
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), ["committed", "committed"])
      }),
    slow
  )

  it.live(
    "restarts after a kill, for current and new users",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const kill = Effect.flatMap(pidOf(directory), (pid) =>
          Effect.sync(() => {
            process.kill(pid ?? assert.fail("There is no server."), "SIGKILL")
            return pid
          })
        )
        yield* Effect.gen(function* () {
          yield* makeNotes
          yield* run("INSERT INTO notes VALUES ('before')")
          const killed = yield* kill
          yield* until(pidOf(directory), (pid) => pid !== null && pid !== killed)
          yield* until(Effect.exit(notes), ({ _tag }) => _tag === "Success")
        }).pipe(inFolder(directory))
        assert.isNull(yield* pidOf(directory))
        const user = yield* givenUser(directory)
        yield* Effect.all([kill, user.end("SIGKILL")], { concurrency: 2 })
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), ["before", "committed"])
      }),
    slow
  )

  it.live(
    "starts although another process has the pid of the killed one",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const file = join(directory, "database/data/postmaster.pid")
        const left = yield* Effect.andThen(
          makeNotes,
          Effect.promise(() => Fs.readFile(file, "utf8"))
        ).pipe(inFolder(directory))
        const options = yield* surroundings(yield* accountFor([join(directory, "database/data")]))
        const stranger = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("sleep", ["600"], { ...options, stdio: "ignore" })),
          (child) => Effect.sync(() => child.kill())
        )
        yield* Effect.promise(() => Fs.writeFile(file, left.replace(/^\d+/, String(stranger.pid)), { mode: 0o644 }))
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
      }),
    slow
  )

  it.live(
    "is created once by concurrent first users",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        const come = run("SELECT 1").pipe(inFolder(directory))
        yield* Effect.replicateEffect(come, 4, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(directory)), ["database"])
      }),
    slow
  )

  it.live(
    "lies in folders with spaces and long names; its socket has a short one, in a folder of its owner's alone",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder(
          `a folder with "spaces", a comma and a name of ${"very ".repeat(15)}many letters`
        )
        const { url } = yield* Embedded.open({ directory }).pipe(
          Effect.tap(() => run("SELECT 1").pipe(inFolder(directory))),
          Effect.scoped
        )
        const folder = decodeURIComponent(new URL(Redacted.value(url)).hostname)
        assert.match(folder, /^\/tmp\/parley-\d+-[0-9a-f]{16}$/)
        const gone = yield* Effect.promise(() => Fs.stat(folder).catch(() => null))
        assert.isNull(gone)
        yield* Effect.acquireRelease(
          Effect.promise(() => Fs.mkdir(folder).then(() => Fs.chmod(folder, 0o777))),
          () => remove(folder)
        )
        const error = yield* Effect.flip(run("SELECT 1").pipe(inFolder(directory)))
        assert.include(error.message, `another user owns ${folder}`)
      }),
    slow
  )

  it.live(
    "is refused on data of another version of PostgreSQL, which stays as it was",
    () =>
      Effect.gen(function* () {
        const directory = yield* givenFolder()
        yield* makeNotes.pipe(inFolder(directory))
        const version = join(directory, "database/data/PG_VERSION")
        const known = yield* Effect.promise(() => Fs.readFile(version, "utf8"))
        yield* Effect.promise(() => Fs.writeFile(version, "12\n"))
        const error = yield* whyNot(directory)
        assert.strictEqual(error._tag, "EmbeddedFolderUnusable")
        assert.include(error.message, "was made by PostgreSQL 12, and this is PostgreSQL 18")
        yield* Effect.promise(() => Fs.writeFile(version, known))
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
      }),
    slow
  )

  it.live("refuses data of PGlite", () =>
    Effect.gen(function* () {
      const directory = yield* givenFolder()
      yield* Effect.promise(async () => {
        await Fs.mkdir(join(directory, "postgres"), { recursive: true })
        await Fs.writeFile(join(directory, "postgres/PG_VERSION"), "17\n")
      })
      const error = yield* whyNot(directory)
      assert.strictEqual(error._tag, "EmbeddedFolderUnusable")
      assert.include(error.message, "older than release 0.2.0")
      assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(directory)), ["postgres"])
    })
  )

  it.live("is refused where no folder can be, and it is said which", () =>
    Effect.gen(function* () {
      const directory = yield* givenFolder()
      yield* Effect.promise(() => Fs.writeFile(directory, "a file, not a folder"))
      for (const folder of [directory, join(directory, "below"), "/sys/parley"]) {
        const error = yield* whyNot(folder)
        assert.strictEqual(error._tag === "EmbeddedFolderUnusable" && error.directory, folder)
        assert.include(error.message, folder)
      }
    })
  )

  it.live("is refused where its binaries are not, and a server is asked for", () =>
    Effect.gen(function* () {
      const directory = yield* givenFolder()
      const binaries = join(directory, "none")
      const error = yield* Effect.flip(Effect.scoped(Embedded.open({ directory, binaries })))
      assert.strictEqual(error._tag, "EmbeddedUnavailable")
      assert.include(error.message, "Use a PostgreSQL server")
    })
  )

  if (isRoot) {
    it.live(
      "of root in a closed home lies where its server can reach it, and the folder leads there",
      () =>
        Effect.gen(function* () {
          const directory = yield* givenFolder("data", 0o700)
          yield* Effect.gen(function* () {
            yield* makeNotes.pipe(inFolder(directory))
            assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
            const place = yield* Effect.promise(() => Fs.readlink(join(directory, "database")))
            assert.isTrue(place.startsWith(`${sharedPlace}/database.`))
            const shared = yield* Effect.promise(() => Fs.stat(sharedPlace))
            assert.deepStrictEqual([shared.uid, shared.mode & 0o022], [0, 0])
          }).pipe(
            Effect.ensuring(
              Effect.promise(() => Fs.readlink(join(directory, "database")).catch(() => "/nowhere")).pipe(
                Effect.flatMap(remove)
              )
            )
          )
        }),
      slow
    )
  }
})
