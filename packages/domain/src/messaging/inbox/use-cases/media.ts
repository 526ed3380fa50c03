import { DateTime, Effect, type Stream } from "effect"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { FileId, Files } from "../../../platform/files/index.ts"
import { Media, MediaLibrary, toMediaView } from "../MediaLibrary.ts"
import { MediaId } from "../Message.ts"
import { MediaRefused } from "../errors.ts"
import { checkFile } from "../fileChecks.ts"
import { openMedia } from "../mediaDownloads.ts"
import { baseMimeType, mediaKindOf, mimeTypes, sanitizeFilename } from "../mediaTypes.ts"

const refuseType = (mimeType: string) =>
  new MediaRefused({
    reason: "type",
    detail: `Files of the type ${mimeType} cannot be sent. Expected one of ${mimeTypes.join(", ")}.`
  })

/** Receives the bytes of a file to send, without an entry in the library. Call it outside a unit of work. */
export const receiveMedia = useCase(
  { name: "media.receive", access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({
    bytes,
    ...input
  }: { readonly bytes: Stream.Stream<Uint8Array> } & { readonly filename: string | null; readonly mimeType: string }) {
    const mimeType = baseMimeType(input.mimeType)
    const kind = mediaKindOf(mimeType)
    if (kind === null) return yield* refuseType(mimeType)
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, checkFile(bytes, mimeType, kind))
    return new Media({
      id: yield* nextId(MediaId),
      kind,
      mimeType,
      filename: input.filename === null ? null : sanitizeFilename(input.filename),
      size,
      state: "stored",
      fileId,
      remote: null,
      createdAt: yield* DateTime.now
    })
  })
)

/** Adds a received file to the library, which allows sending it. */
export const saveMedia = useCase(
  { name: "media.keep", access: { permission: "conversations.manage" }, audit: "media.uploaded" },
  Effect.fnUntraced(function* (media: Media) {
    yield* (yield* MediaLibrary).insert([media])
    const { id, kind, mimeType, size } = media
    yield* recordAudit("media.uploaded", { kind: "media", id }, { after: { kind, mimeType, size } })
    return toMediaView(media)
  }, transact)
)

/** Uploads a file to send. Call it outside a unit of work. */
export const uploadMedia = useCase(
  { name: "media.upload", access: { permission: "conversations.manage" }, audit: "media.uploaded" },
  Effect.fnUntraced(function* ({
    bytes,
    ...input
  }: { readonly bytes: Stream.Stream<Uint8Array> } & { readonly filename: string | null; readonly mimeType: string }) {
    return yield* saveMedia(yield* receiveMedia({ ...input, bytes }))
  })
)

/** Reads the metadata and the bytes of a file. Call it outside a unit of work. */
export const readMedia = useCase(
  { name: "media.read", access: { permission: "conversations.read" } },
  ({ id }: { readonly id: MediaId }) => openMedia(id)
)

/** Deletes the bytes of a received file, unless the file is in the library. */
export const dropMedia = useCase(
  { name: "media.drop", access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({ fileId, id }: Media) {
    const library = yield* MediaLibrary
    const isKept = yield* Effect.match(library.get(id), { onFailure: () => false, onSuccess: () => true })
    if (!isKept && fileId !== null) yield* (yield* Files).remove(fileId)
  }, transact)
)
