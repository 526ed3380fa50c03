import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, it } from "@effect/vitest"
import { Embedded } from "@parley/postgres-adapter"
import { Effect, FileSystem } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { lockFolder } from "../src/embedded/FolderLock.ts"
import { realTime } from "../src/kernel/realTime.ts"

const slow = 60_000

const givenFolder = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return { files, directory: `${yield* files.makeTempDirectoryScoped()}/data` }
}).pipe(Effect.provide(NodeFileSystem.layer))

const inFolder = (directory: string) => Effect.provide(Embedded.layer({ directory }))

const makeNotes = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE notes (text text NOT NULL)`)

const notes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly text: string }>`SELECT text FROM notes ORDER BY text`
  return rows.map(({ text }) => text)
})

const program = fileURLToPath(new URL("support/holdFolder.ts", import.meta.url))

/** Another process that has the folder open, and a way to end it without mercy. */
const givenHolder = (directory: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly pid: number; readonly kill: Effect.Effect<void> }>((resume) => {
      const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] })
      const kill = Effect.callback<void>((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done(Effect.void)
        child.once("exit", () => done(Effect.void))
        child.kill("SIGKILL")
      })
      child.stdout.once("data", () => resume(Effect.succeed({ pid: child.pid ?? 0, kill })))
      child.once("exit", (code) => resume(Effect.die(new Error(`The other process ended with ${code}.`))))
    }),
    ({ kill }) => kill
  )

it.effect(
  "keeps in the folder what was committed, until the next start",
  () =>
    Effect.gen(function* () {
      const { directory } = yield* givenFolder
      yield* Effect.andThen(
        makeNotes,
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO notes VALUES ('kept')`)
      ).pipe(inFolder(directory))
      assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), ["kept"])
    }),
  slow
)

it.effect(
  "refuses a folder that another process has open; of a process that was killed it keeps what was committed",
  () =>
    Effect.gen(function* () {
      const { directory } = yield* givenFolder
      const holder = yield* givenHolder(directory)
      const error = yield* notes.pipe(inFolder(directory), Effect.flip)
      assert.deepStrictEqual(error._tag === "EmbeddedFolderInUse" ? [error.directory, error.pid] : error._tag, [
        directory,
        holder.pid
      ])
      assert.include(error.message, String(holder.pid))
      yield* holder.kill
      assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), ["committed"])
    }),
  slow
)

it.effect(
  "refuses a folder that this process has open already, and frees it at the end",
  () =>
    Effect.gen(function* () {
      const { directory } = yield* givenFolder
      const again = notes.pipe(Effect.provide(Embedded.layer({ directory }), { local: true }), Effect.flip)
      const error = yield* makeNotes.pipe(Effect.andThen(again), inFolder(directory))
      assert.strictEqual(error._tag, "EmbeddedFolderInUse")
      assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
    }),
  slow
)

it.effect(
  "takes a folder that nobody holds any more, whatever was left of those who did",
  () =>
    Effect.gen(function* () {
      const { directory, files } = yield* givenFolder
      yield* makeNotes.pipe(inFolder(directory))
      const locks = `${directory}/locks`
      const gone = { pid: 4_194_305, identity: "gone", isHeld: true }
      const reused = { pid: process.pid, identity: "an earlier process with this number", isHeld: true }
      for (const left of [gone, { ...gone, isHeld: false }, reused]) {
        yield* files.writeFileString(`${locks}/left.json`, JSON.stringify(left))
        assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
        assert.deepStrictEqual(yield* files.readDirectory(locks), [])
      }
      yield* files.writeFileString(`${locks}/broken.json`, "{")
      assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
    }),
  slow
)

it.effect(
  "of many who want a folder at once, one gets it",
  () =>
    Effect.gen(function* () {
      const { directory } = yield* givenFolder
      const holders = { now: 0, most: 0 }
      const hold = Effect.scoped(
        Effect.gen(function* () {
          yield* lockFolder(directory)
          holders.now += 1
          holders.most = Math.max(holders.most, holders.now)
          yield* Effect.replicateEffect(Effect.yieldNow, 100)
          holders.now -= 1
        })
      ).pipe(Effect.provide([NodeFileSystem.layer, realTime]), Effect.exit)
      const exits = yield* Effect.replicateEffect(hold, 20, { concurrency: "unbounded" })
      assert.isAtLeast(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      assert.strictEqual(holders.most, 1)
    }),
  slow
)

it.effect("refuses a folder that cannot be made, and says which", () =>
  Effect.gen(function* () {
    const { directory, files } = yield* givenFolder
    yield* files.writeFileString(directory, "a file, not a folder")
    for (const folder of [directory, `${directory}/below`]) {
      const error = yield* notes.pipe(inFolder(folder), Effect.flip)
      assert.strictEqual(error._tag === "EmbeddedFolderUnusable" && error.directory, folder)
      assert.include(error.message, folder)
    }
  })
)

it.effect(
  "refuses a folder with the data of another version of PostgreSQL, says so, and leaves it as it was",
  () =>
    Effect.gen(function* () {
      const { directory, files } = yield* givenFolder
      yield* makeNotes.pipe(inFolder(directory))
      const version = `${directory}/postgres/PG_VERSION`
      const known = yield* files.readFileString(version)
      yield* files.writeFileString(version, "12\n")
      const error = yield* notes.pipe(inFolder(directory), Effect.flip)
      assert.strictEqual(error._tag, "EmbeddedFolderUnusable")
      assert.include(error.message, "initialized by PostgreSQL version 12")
      yield* files.writeFileString(version, known)
      assert.deepStrictEqual(yield* notes.pipe(inFolder(directory)), [])
    }),
  slow
)
