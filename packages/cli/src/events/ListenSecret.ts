import type { OrganizationId } from "@parley/domain"
import type { Settings } from "@parley/service/configuration"
import { Effect, FileSystem, Option, Path } from "effect"
import { Base64 } from "effect/encoding"
import { SecureRandom } from "effect/crypto"
import { configFolder } from "../profiles/configFolder.ts"
import { writePrivately } from "../profiles/writePrivately.ts"

const secretBytes = 32

const written = /^whsec_[A-Za-z0-9+/]{43}=$/u

/**
 * The secret that signs what is forwarded for an organization: the same each time on this machine, for this user alone. Where
 * nothing can be kept, it is good until the command ends.
 */
export const listenSecret = Effect.fnUntraced(function* (settings: Settings, organization: OrganizationId) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* configFolder(settings)
  const made = `whsec_${Base64.encode(SecureRandom.randomBytesUnsafe(secretBytes))}`
  if (Option.isNone(root)) return made
  const folder = path.join(root.value, "listen")
  const file = path.join(folder, organization)
  const kept = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
  if (written.test(kept.trim())) return kept.trim()
  yield* fs.makeDirectory(folder, { recursive: true, mode: 0o700 }).pipe(
    Effect.andThen(writePrivately(file, `${made}\n`)),
    Effect.catch(() => Effect.logWarning(`The secret cannot be kept in ${file}: the next time it is another one.`))
  )
  return made
})
