import { Effect } from "effect"
import type { MediaKind } from "../../chat/index.ts"
import { type Fault, invalid, NotFound } from "../../../kernel/index.ts"
import { kindOfType, mostBytes } from "../files.ts"
import type { MediaId } from "../Ids.ts"
import { MediaLibrary } from "../MediaLibrary.ts"

const missing = (pointer: string) => new NotFound({ resource: "media", pointer })

/** The file, if a message may carry it. */
export const sendableFile = Effect.fnUntraced(function* (id: MediaId, kind: MediaKind, pointer: string) {
  const media = yield* Effect.mapError((yield* MediaLibrary).get(id), () => missing(pointer))
  if (media.state !== "stored") return yield* invalid(pointer, "Expected a file that was uploaded")
  if (media.kind !== kind) return yield* invalid(pointer, `Expected a file of the kind ${kind}, not ${media.kind}`)
  if (kindOfType(media.mimeType) !== kind) {
    return yield* invalid(pointer, `Files of the type ${media.mimeType} cannot be sent`)
  }
  if ((media.size ?? 0) > mostBytes[kind]) {
    return yield* invalid(pointer, `Expected a file of at most ${mostBytes[kind]} bytes`)
  }
  return media
})

/** The file that a message is to carry, if it may be sent so. From then on it stays. */
export const fileToSend = Effect.fnUntraced(function* (id: MediaId, kind: MediaKind, pointer: string) {
  const { filename, isUsed, mimeType } = yield* sendableFile(id, kind, pointer)
  if (!isUsed) yield* Effect.mapError((yield* MediaLibrary).use(id), () => missing(pointer))
  return { id, mimeType, filename }
})

/** What is wrong with a file that messages are to carry. */
export const faultsOfFile = (id: MediaId, kind: MediaKind, pointer: string) =>
  Effect.match(sendableFile(id, kind, pointer), {
    onSuccess: (): ReadonlyArray<Fault> => [],
    onFailure: (error): ReadonlyArray<Fault> =>
      error._tag === "NotFound" ? [{ pointer, message: error.message }] : error.errors
  })
