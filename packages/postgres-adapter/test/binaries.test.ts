import { assert, describe, it } from "@effect/vitest"
import { Assets } from "@parley/domain/kernel"
import { Effect } from "effect"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { findBinaries } from "../src/embedded/Binaries.ts"

const givenFolder = Effect.acquireRelease(
  Effect.promise(() => Fs.mkdtemp(join(tmpdir(), "parley-binaries-"))),
  (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true, force: true }))
)

/** A folder of PostgreSQL with a program, and with the file of our package if it has a version. */
const givenPostgres = (folder: string, major: string, version: string | null) =>
  Effect.promise(async () => {
    const place = join(folder, "postgresql", major)
    await Fs.mkdir(join(place, "native/bin"), { recursive: true })
    await Fs.writeFile(join(place, "native/bin/postgres"), "#!/bin/sh\n", { mode: 0o755 })
    if (version !== null) await Fs.writeFile(join(place, "package.json"), JSON.stringify({ version }))
  })

const foundNextTo = (folder: string) =>
  findBinaries(null, join(folder, "data"), null).pipe(
    Effect.provideService(Assets, pathToFileURL(join(folder, "parley/")).href)
  )

describe("the PostgreSQL of an installation", () => {
  it.effect("is the newest folder of our package, and folders of other packages do not count", () =>
    Effect.gen(function* () {
      const folder = yield* givenFolder
      yield* givenPostgres(folder, "9", "9.6.24")
      yield* givenPostgres(folder, "17", "17.6.0")
      yield* givenPostgres(folder, "99", null)
      const { major, program } = yield* foundNextTo(folder)
      assert.strictEqual(major, 17)
      assert.strictEqual(program("postgres"), join(folder, "postgresql/17/native/bin/postgres"))
    })
  )

  it.effect("is the package of npm if only other packages have folders", () =>
    Effect.gen(function* () {
      const folder = yield* givenFolder
      yield* givenPostgres(folder, "99", null)
      const { program } = yield* foundNextTo(folder)
      assert.notInclude(program("postgres"), folder)
    })
  )
})
