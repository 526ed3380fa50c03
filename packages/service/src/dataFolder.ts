import { Effect, FileSystem, Path } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import type { Settings } from "./settings.ts"

/** Makes the data folder where it is missing, readable by nobody else, and gives its whole path. */
export const makeDataFolder = Effect.fnUntraced(function* (settings: Pick<Settings, "dataDir">) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.resolve(settings.dataDir.value)
  yield* Effect.mapError(
    fs.makeDirectory(directory, { recursive: true, mode: 0o700 }),
    (error) =>
      new WrongConfiguration({
        faults: [`PARLEY_DATA_DIR: cannot make the folder ${directory}: ${error.reason._tag}.`]
      })
  )
  return directory
})
