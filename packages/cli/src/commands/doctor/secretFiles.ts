import type { Reading, Settings } from "@parley/service/configuration"
import { Effect, FileSystem } from "effect"
import { type Finding, ok, warning } from "./checks.ts"

const readableByOthers = 0o004

const checkFile = Effect.fnUntraced(function* (origin: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const mode = yield* Effect.map(fs.stat(file), (info) => info.mode)
  if ((mode & readableByOthers) === 0) return ok("secret files", `${origin}: only its owner and its group can read it`)
  return warning("secret files", `${origin}: other users of this machine can read it`, `run: chmod o-r ${file}`)
})

/** Warns about secrets in files that other users can read. */
export const checkSecretFiles = Effect.fnUntraced(function* (settings: Settings) {
  const readings: ReadonlyArray<Reading<unknown>> = Object.values(settings)
  const found = yield* Effect.forEach(readings, ({ file, origin }) =>
    file === null ? Effect.succeed<ReadonlyArray<Finding>>([]) : Effect.map(checkFile(origin, file), (one) => [one])
  )
  return found.flat()
})
