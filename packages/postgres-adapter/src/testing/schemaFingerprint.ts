import { Effect, FileSystem } from "effect"
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const directory = join(dirname(createRequire(import.meta.url).resolve("@parley/postgres-adapter")), "migrations")

/** Changes with the migrations, so databases prepared with other migrations are not reused. */
export const schemaFingerprint = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = yield* files.readDirectory(directory)
  const hash = createHash("sha256")
  for (const name of names.toSorted()) hash.update(name).update(yield* files.readFile(`${directory}/${name}`))
  return hash.digest("hex").slice(0, 16)
})
