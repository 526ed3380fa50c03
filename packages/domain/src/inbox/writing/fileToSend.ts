import { Effect } from "effect"
import type { MediaKind } from "../../chat/index.ts"
import { invalid, NotFound } from "../../kernel/index.ts"
import { kindOfType, mostBytes } from "../files.ts"
import type { MediaId } from "../Ids.ts"
import { MediaLibrary } from "../MediaLibrary.ts"

/** The file that a message is to carry, if it may be sent so. From then on it stays. */
export const fileToSend = Effect.fnUntraced(function* (id: MediaId, kind: MediaKind, pointer: string) {
  const library = yield* MediaLibrary
  const missing = () => new NotFound({ resource: "media", pointer })
  const media = yield* Effect.mapError(library.get(id), missing)
  if (media.state !== "stored") return yield* invalid(pointer, "Expected a file that was uploaded")
  if (media.kind !== kind) return yield* invalid(pointer, `Expected a file of the kind ${kind}, not ${media.kind}`)
  if (kindOfType(media.mimeType) !== kind) {
    return yield* invalid(pointer, `Files of the type ${media.mimeType} cannot be sent`)
  }
  if ((media.size ?? 0) > mostBytes[kind]) {
    return yield* invalid(pointer, `Expected a file of at most ${mostBytes[kind]} bytes`)
  }
  if (!media.isUsed) yield* Effect.mapError(library.use(id), missing)
  const { filename, mimeType } = media
  return { id, mimeType, filename }
})
