import { generateMasterKey } from "@parley/provider-adapters/security"
import { Effect, FileSystem, Redacted } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import { makeDataFolder } from "./environment.ts"
import type { Settings } from "./readSettings.ts"

export { generateMasterKey }

const missing = new WrongConfiguration({
  faults: [
    "PARLEY_MASTER_KEYS: expected the encryption keys of the database. For a new database, create one with `parley keys generate-master`, and protect it like the database. For an existing database, set the keys that it was created with; a new key cannot read it."
  ]
})

const unreadable = (file: string) => new WrongConfiguration({ faults: [`PARLEY_DATA_DIR: cannot use ${file}.`] })

/** The file of the master keys of the embedded database. */
export const masterKeysFile = (directory: string) => `${directory}/master-keys`

const readKeys = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return Redacted.make((yield* fs.readFileString(file)).trim())
})

const ownKeys = Effect.fnUntraced(function* (settings: Settings) {
  const fs = yield* FileSystem.FileSystem
  const file = masterKeysFile(yield* makeDataFolder(settings))
  const made = yield* generateMasterKey("k1")
  return yield* fs.writeFileString(file, `${Redacted.value(made)}\n`, { flag: "wx", mode: 0o600 }).pipe(
    Effect.as(made),
    Effect.catchReason("PlatformError", "AlreadyExists", () => readKeys(file)),
    Effect.catchTag("PlatformError", () => Effect.fail(unreadable(file)))
  )
})

/** Returns the configured master keys, or the keys of the data folder. The embedded database creates them once. */
export const masterKeysOf = (settings: Settings) => {
  if (settings.masterKeys.value !== null) return Effect.succeed(settings.masterKeys.value)
  if (settings.databaseUrl.value !== null) return Effect.fail(missing)
  return ownKeys(settings)
}
