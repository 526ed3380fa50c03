import type { DatabaseUnusable, Settings } from "@parley/service/configuration"
import { Console, Effect, FileSystem, Path } from "effect"

/** The first free name: the wanted one, or with a number. */
const freeName = Effect.fnUntraced(function* (wanted: string) {
  const fs = yield* FileSystem.FileSystem
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!(yield* fs.exists(name))) return name
  }
})

/** Moves the folder of a demo aside if its database was created before release 0.2.0 and no process uses it. Otherwise it fails with the error. */
export const moveOlderDemo = Effect.fnUntraced(
  function* ({ databaseUrl, dataDir }: Settings, error: DatabaseUnusable) {
    const fs = yield* FileSystem.FileSystem
    const folder = (yield* Path.Path).resolve(dataDir.value)
    const isDemo = databaseUrl.value === null && (yield* fs.exists(`${folder}/demo.json`))
    const isInUse = yield* fs.exists(`${folder}/database/data/postmaster.pid`)
    if (error.isUnreleased !== true || !isDemo || isInUse) return yield* error
    const aside = yield* freeName(`${folder}.before-0.2.0`)
    yield* fs.rename(folder, aside)
    yield* Console.error(
      `The database of the demo was created before release 0.2.0. Its folder is now ${aside}, and the demo starts with a new one.`
    )
  },
  // A folder that is a mount point cannot be moved.
  (effect, _, error) => Effect.catchTag(effect, "PlatformError", () => Effect.fail(error))
)
