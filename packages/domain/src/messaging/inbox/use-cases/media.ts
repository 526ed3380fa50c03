import { DateTime, Effect, Stream } from "effect"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { FileId, Files } from "../../../platform/files/index.ts"
import { Media, MediaLibrary, toMediaView } from "../MediaLibrary.ts"
import { MediaId } from "../Message.ts"
import { MediaRefused } from "../errors.ts"
import { openMedia } from "../mediaDownloads.ts"
import {
  baseMimeType,
  isFileOfType,
  mediaKindOf,
  mimeTypes,
  maxBytesOf,
  maxMediaBytes,
  sanitizeFilename,
  signatureBytes
} from "../mediaTypes.ts"

const refuseType = (mimeType: string) =>
  new MediaRefused({
    reason: "type",
    detail: `Files of the type ${mimeType} cannot be sent. Expected one of ${mimeTypes.join(", ")}.`
  })

const refuseSize = (kind: Media["kind"], most: number) =>
  new MediaRefused({
    reason: "size",
    max: most,
    detail: `The file exceeds ${most} bytes, the maximum for this file of the kind ${kind}.`
  })

const refuseContent = (mimeType: string) =>
  new MediaRefused({ reason: "content", detail: `The content of the file does not match the type ${mimeType}.` })

/** Checks the type and the size of the bytes while streaming. No byte is forwarded before the first ones are checked. */
const checkUpload = (bytes: Stream.Stream<Uint8Array>, mimeType: string, kind: Media["kind"]) =>
  Stream.suspend(() => {
    let size = 0
    let head = new Uint8Array(0)
    let held: Array<Uint8Array> = []
    let isKnown = false
    let most = maxMediaBytes[kind]

    const check = () => {
      if (!isFileOfType(mimeType, head)) return Effect.fail(refuseContent(mimeType))
      most = maxBytesOf(kind, head)
      if (size > most) return Effect.fail(refuseSize(kind, most))
      isKnown = true
      const pieces = held
      held = []
      return Effect.succeed(pieces)
    }

    const pass = (piece: Uint8Array) => {
      size += piece.length
      if (size > most) return Effect.fail(refuseSize(kind, most))
      if (isKnown) return Effect.succeed([piece])
      held.push(piece.slice())
      head = Uint8Array.from([...head, ...piece.slice(0, signatureBytes - head.length)])
      return head.length < signatureBytes ? Effect.succeed([]) : check()
    }

    const rest = Stream.unwrap(
      Effect.map(
        Effect.suspend(() => (isKnown ? Effect.succeed([]) : check())),
        Stream.fromIterable
      )
    )
    return bytes.pipe(Stream.mapEffect(pass), Stream.flatMap(Stream.fromIterable), Stream.concat(rest))
  })

/** Receives the bytes of a file to send, without an entry in the library. Call it outside a unit of work. */
export const receiveMedia = useCase(
  { name: "media.receive", access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (
    said: { readonly filename: string | null; readonly mimeType: string },
    bytes: Stream.Stream<Uint8Array>
  ) {
    const mimeType = baseMimeType(said.mimeType)
    const kind = mediaKindOf(mimeType)
    if (kind === null) return yield* refuseType(mimeType)
    const fileId = yield* nextId(FileId)
    const { size } = yield* (yield* Files).write(fileId, checkUpload(bytes, mimeType, kind))
    return new Media({
      id: yield* nextId(MediaId),
      kind,
      mimeType,
      filename: said.filename === null ? null : sanitizeFilename(said.filename),
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
  Effect.fnUntraced(function* (
    said: { readonly filename: string | null; readonly mimeType: string },
    bytes: Stream.Stream<Uint8Array>
  ) {
    return yield* saveMedia(yield* receiveMedia(said, bytes))
  })
)

/** Reads the metadata and the bytes of a file. Call it outside a unit of work. */
export const readMedia = useCase({ name: "media.read", access: { permission: "conversations.read" } }, openMedia)

/** Deletes the bytes of a received file, unless the file is in the library. */
export const dropMedia = useCase(
  { name: "media.drop", access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* ({ fileId, id }: Media) {
    const library = yield* MediaLibrary
    const isKept = yield* Effect.match(library.get(id), { onFailure: () => false, onSuccess: () => true })
    if (!isKept && fileId !== null) yield* (yield* Files).remove(fileId)
  }, transact)
)
