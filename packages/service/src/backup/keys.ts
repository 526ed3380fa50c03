import { layerMasterKeys, MasterKeys } from "@parley/provider-adapters/security"
import { Effect, FileSystem, Redacted } from "effect"
import { createHash } from "node:crypto"
import { WrongConfiguration } from "../Failure.ts"
import { masterKeysFile } from "../masterKeys.ts"
import type { Settings } from "../readSettings.ts"
import type { ArchiveHeader } from "./Archive.ts"

/** The configured master keys, or those of the data folder; `null` without any. It creates none. */
const findKeys = Effect.fnUntraced(function* ({ dataDir, databaseUrl, masterKeys }: Settings) {
  if (masterKeys.value !== null) return masterKeys.value
  if (databaseUrl.value !== null) return null
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(masterKeysFile(dataDir.value)).pipe(
    Effect.map((text) => Redacted.make(text.trim())),
    Effect.orElseSucceed(() => null)
  )
})

const checksOf = Effect.map(
  MasterKeys,
  ({ all }) =>
    new Map(
      all.map(({ derive, id }) => [
        id,
        createHash("sha256").update(derive("backup check").export()).digest("base64url").slice(0, 22)
      ])
    )
)

/** Check values of the master keys of this machine by key id. They reveal nothing about a key. */
export const keyChecks = Effect.fnUntraced(function* (settings: Settings) {
  const keys = yield* findKeys(settings)
  if (keys === null) return new Map<string, string>()
  return yield* checksOf.pipe(
    Effect.provide(layerMasterKeys(keys)),
    Effect.mapError(({ message }) => new WrongConfiguration({ faults: [`${settings.masterKeys.origin}: ${message}`] }))
  )
})

/** Fails if this machine lacks a master key of the archive, or has another key with its id. */
export const requireKeys = Effect.fnUntraced(function* (settings: Settings, keys: ArchiveHeader["keys"]) {
  const checks = yield* keyChecks(settings)
  const missing = keys.filter(({ id }) => !checks.has(id)).map(({ id }) => id)
  const different = keys
    .filter(({ check, id }) => check !== null && checks.has(id) && checks.get(id) !== check)
    .map(({ id }) => id)
  if (missing.length === 0 && different.length === 0) return
  const isOwn = settings.databaseUrl.value === null && settings.masterKeys.value === null
  const source = isOwn ? masterKeysFile(settings.dataDir.value) : "PARLEY_MASTER_KEYS"
  const fault = [
    ...missing.map((id) => `the master key ${id} is missing`),
    ...different.map((id) => `the master key ${id} is not the key of the backup`)
  ].join(", and ")
  return yield* new WrongConfiguration({ faults: [`${source}: ${fault}. Set the keys of the backed-up installation.`] })
})
