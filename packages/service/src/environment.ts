import { ConfigProvider, Effect, FileSystem, Path } from "effect"
import * as Os from "node:os"
import { WrongConfiguration } from "./Failure.ts"
import { postVariable } from "./processes/Post.ts"
import type { Settings } from "./readSettings.ts"
import { fileVariableOf } from "./Setting.ts"
import { catalogue } from "./settings.ts"

/** Variables of all settings, with the variables that name a file of a secret. */
export const settingVariables: ReadonlyArray<string> = Object.values(catalogue).flatMap((setting) =>
  [setting.variable, fileVariableOf(setting) ?? []].flat()
)

// The last two are variables of the tests.
const known: ReadonlySet<string> = new Set([
  ...settingVariables,
  postVariable,
  "PARLEY_ASSETS",
  "PARLEY_TEST_DATABASE_URL",
  "PARLEY_TEST_POSTGRES"
])

const namesUnder = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>, ConfigProvider.SourceError> =>
  Effect.gen(function* () {
    const node = yield* provider.load(path)
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    const below = yield* Effect.forEach(node.keys, (key) => namesUnder(provider, [...path, key]))
    return [...own, ...below.flat()]
  })

/** Variables that resemble settings but are unknown. A typo would otherwise stay unnoticed. */
export const strayVariables = Effect.gen(function* () {
  const names = yield* Effect.orDie(namesUnder(yield* ConfigProvider.ConfigProvider, ["PARLEY"]))
  return names.filter((name) => !known.has(name))
})

const userOfThisMachine = () => {
  try {
    return Os.userInfo().username
  } catch {
    // A container can run under a user id without a name.
    return "operator"
  }
}

/** Name of the operator in the audit trail. */
export const operatorName = (settings: Pick<Settings, "operatorName">) =>
  settings.operatorName.value ?? userOfThisMachine()

/** Host name and process id. */
export const processName = Effect.sync(() => `${Os.hostname()}:${process.pid}`)

/** Creates the data folder if missing, readable only by its owner, and returns its full path. */
export const makeDataFolder = Effect.fnUntraced(function* (settings: Pick<Settings, "dataDir">) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = path.resolve(settings.dataDir.value)
  yield* Effect.mapError(
    fs.makeDirectory(directory, { recursive: true, mode: 0o700 }),
    (error) =>
      new WrongConfiguration({
        faults: [`PARLEY_DATA_DIR: cannot create the folder ${directory}: ${error.reason._tag}.`]
      })
  )
  return directory
})
