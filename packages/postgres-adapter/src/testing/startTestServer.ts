import { Config, Effect, Option } from "effect"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"
import { lookAt, withFiles } from "../embedded/files.ts"
import { open } from "../Embedded.ts"

const prefix = "parley-tests-"

const remove = (folder: string) => Effect.ignore(withFiles((fs) => fs.rm(folder, { recursive: true, force: true })))

/** Time, in milliseconds, that a killed run can still lack a server or have a stopping server. */
const freshMillis = 600_000

/** Memory file system: copying a database takes a quarter of the time on disk. */
const memory = "/dev/shm"

/** Much more than a whole run needs. */
const roomBytes = 4 * 1024 ** 3

/** The memory file system, if it has enough space. */
const place = withFiles((fs) => fs.statfs(memory)).pipe(
  Effect.map(({ bavail, bsize }) => bavail * bsize > roomBytes && freemem() > 2 * roomBytes),
  Effect.orElseSucceed(() => false),
  Effect.map((isRoomy) => (isRoomy ? memory : tmpdir()))
)

/** Removes the folders of killed runs. Their servers have stopped automatically. */
const removeAbandoned = Effect.fnUntraced(function* (place: string) {
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  for (const name of yield* withFiles((fs) => fs.readdir(place))) {
    const folder = join(place, name)
    const found = name.startsWith(prefix) ? yield* lookAt(folder) : null
    if (found === null || !found.isDirectory() || found.uid !== process.geteuid?.()) continue
    const isRunning = (yield* lookAt(join(folder, "database/data/postmaster.pid"))) !== null
    if (!isRunning && found.mtimeMs < now - freshMillis) yield* remove(folder)
  }
})

const startIn = Effect.fnUntraced(function* (place: string) {
  const binaries = Option.getOrNull(yield* Effect.orDie(Config.option(Config.String("PARLEY_TEST_POSTGRES"))))
  yield* Effect.ignore(removeAbandoned(place))
  const directory = yield* Effect.acquireRelease(
    withFiles((fs) => fs.mkdtemp(join(place, prefix))),
    remove
  )
  return yield* open({ directory, isThrowaway: true, binaries })
})

/**
 * A PostgreSQL for a test run, in a folder that is removed when the scope ends. PARLEY_TEST_POSTGRES names the folder of a package of binaries, for
 * another version than the default.
 */
export const startTestServer = Effect.flatMap(place, (place) =>
  Effect.catchTag(startIn(place), "EmbeddedUnavailable", (error) =>
    place === memory ? startIn(tmpdir()) : Effect.fail(error)
  )
)
