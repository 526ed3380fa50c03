import { Effect, FileSystem } from "effect"
import { SecureRandom } from "effect/crypto"

/** Writes a file that is there whole or not at all, and that nobody else can read at any time. */
export const writePrivately = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const unfinished = `${file}.${SecureRandom.uuidV4Unsafe()}`
  yield* fs.writeFileString(unfinished, text, { flag: "wx", mode: 0o600 }).pipe(
    Effect.andThen(fs.rename(unfinished, file)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished)))
  )
})
