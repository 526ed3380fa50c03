import { Effect, FileSystem } from "effect"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

const directory = fileURLToPath(new URL("../migrations", import.meta.url))

/** Changes with the migrations, so databases prepared with other migrations are not reused. */
export const schemaFingerprint = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const names = yield* files.readDirectory(directory)
  const hash = createHash("sha256")
  for (const name of names.toSorted()) hash.update(name).update(yield* files.readFile(`${directory}/${name}`))
  return hash.digest("hex").slice(0, 16)
})
