import { Config, Effect, Option } from "effect"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lookAt, withFiles } from "../embedded/files.ts"
import { open } from "../Embedded.ts"

const prefix = "parley-tests-"

const remove = (folder: string) => Effect.ignore(withFiles((fs) => fs.rm(folder, { recursive: true, force: true })))

/** How long a run that was killed may have had no server yet, or still have one that is about to stop. */
const freshMillis = 600_000

/** Removes the folders of runs that were killed. Their servers have stopped by themselves. */
const removeAbandoned = Effect.gen(function* () {
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  for (const name of yield* withFiles((fs) => fs.readdir(tmpdir()))) {
    const folder = join(tmpdir(), name)
    const found = name.startsWith(prefix) ? yield* lookAt(folder) : null
    if (found === null || !found.isDirectory() || found.uid !== process.geteuid?.()) continue
    const isRunning = (yield* lookAt(join(folder, "database/data/postmaster.pid"))) !== null
    if (!isRunning && found.mtimeMs < now - freshMillis) yield* remove(folder)
  }
}).pipe(Effect.ignore)

/**
 * A PostgreSQL for a test run, in a folder that is removed when the scope ends. PARLEY_TEST_POSTGRES names the folder of a
 * package of binaries, for another version than the usual one.
 */
export const startTestServer = Effect.gen(function* () {
  const binaries = Option.getOrNull(yield* Effect.orDie(Config.option(Config.String("PARLEY_TEST_POSTGRES"))))
  yield* removeAbandoned
  const directory = yield* Effect.acquireRelease(
    withFiles((fs) => fs.mkdtemp(join(tmpdir(), prefix))),
    remove
  )
  return yield* open({ directory, isThrowaway: true, binaries })
})
