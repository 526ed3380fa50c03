import { DateTime, Effect, type Stream } from "effect"
import { FileId, Files } from "../../../platform/files/index.ts"
import { nextId, useCase } from "../../../kernel/index.ts"
import { bareType, kindOfType, plainFilename } from "../files.ts"
import { MediaId } from "../Ids.ts"
import { Media } from "../Media.ts"
import { refuseType, checkUpload } from "../checkUpload.ts"

/** Takes in the bytes of a file that is to be sent, which is in no library yet. It is no part of a unit of work: call it outside of one. */
export const receiveMedia = useCase(
  "media.receive",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (
    said: { readonly filename: string | null; readonly mimeType: string },
    bytes: Stream.Stream<Uint8Array>
  ) {
    const mimeType = bareType(said.mimeType)
    const kind = kindOfType(mimeType)
    if (kind === null) return yield* refuseType(mimeType)
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, checkUpload(bytes, mimeType, kind))
    return new Media({
      id: yield* nextId(MediaId),
      kind,
      mimeType,
      filename: said.filename === null ? null : plainFilename(said.filename),
      size,
      state: "stored",
      fileId,
      remote: null,
      createdAt: yield* DateTime.now
    })
  })
)
