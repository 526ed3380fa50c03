import { Effect, FileSystem } from "effect"
import { fileURLToPath } from "node:url"

/** The folder `site` of this package: as far from `src/server/docs` as from `dist/server/docs`. */
const root = new URL("../../../site/", import.meta.url)

const at = (path: string) => fileURLToPath(new URL(path, root))

/** Reads a text of the site. A site without its files is broken, so a missing one is a defect. */
export const readSiteText = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.orDie(files.readFileString(at(path)))
})

/** The names of the files in a folder of the site. */
export const listSiteFiles = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return (yield* Effect.orDie(files.readDirectory(at(folder)))).toSorted()
})
