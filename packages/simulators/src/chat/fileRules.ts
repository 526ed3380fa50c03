import { refuse } from "./checks.ts"

const kilobyte = 1_024
const megabyte = kilobyte * kilobyte

export type FileKind = "audio" | "document" | "image" | "sticker" | "video"

const office = "application/vnd.openxmlformats-officedocument"

const kinds: Readonly<Record<string, FileKind>> = {
  "audio/aac": "audio",
  "audio/amr": "audio",
  "audio/mpeg": "audio",
  "audio/mp4": "audio",
  "audio/ogg": "audio",
  "text/plain": "document",
  "application/pdf": "document",
  "application/msword": "document",
  "application/vnd.ms-excel": "document",
  "application/vnd.ms-powerpoint": "document",
  [`${office}.wordprocessingml.document`]: "document",
  [`${office}.spreadsheetml.sheet`]: "document",
  [`${office}.presentationml.presentation`]: "document",
  "image/jpeg": "image",
  "image/png": "image",
  "image/webp": "sticker",
  "video/mp4": "video",
  "video/3gpp": "video"
}

const maxBytes: Readonly<Record<FileKind, number>> = {
  audio: 16 * megabyte,
  document: 100 * megabyte,
  image: 5 * megabyte,
  sticker: 500 * kilobyte,
  video: 16 * megabyte
}

const maxStaticSticker = 100 * kilobyte

const bareType = (type: string) => type.toLowerCase().replace(/\s*;.*$/u, "")

/** The kind of a file that the provider accepts; undefined for other types. */
export const kindOfFile = (type: string): FileKind | undefined => kinds[bareType(type)]

const includes = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text)

/** Whether an ogg file has the opus codec, by its type or its content. */
const isOpus = (bytes: Uint8Array, type: string) => /codecs\s*=\s*"?opus/iu.test(type) || includes(bytes, "OpusHead")

export const isAnimated = (bytes: Uint8Array): boolean => includes(bytes, "ANIM")

/** Checks type and size of an uploaded file. */
export const checkUploadedFile = (bytes: Uint8Array, fileType: string, type: string) => {
  const kind = kindOfFile(type)
  if (kind === undefined || bareType(fileType) !== bareType(type)) {
    return refuse(131_053, `Unsupported media type ${fileType === "" ? type : fileType}.`)
  }
  if (bareType(type) === "audio/ogg" && !isOpus(bytes, type) && !isOpus(bytes, fileType)) {
    return refuse(131_053, "The type audio/ogg is only supported with the opus codec.")
  }
  const most = kind === "sticker" && !isAnimated(bytes) ? maxStaticSticker : maxBytes[kind]
  if (bytes.length === 0) return refuse(131_053, "The file is empty.")
  return bytes.length > most
    ? refuse(131_053, `The file has ${bytes.length} bytes; at most ${most} are allowed.`)
    : undefined
}

/** Checks the type of a voice message. Larger files arrive without the play icon. */
export const checkVoice = (type: string) =>
  bareType(type) === "audio/ogg"
    ? undefined
    : refuse(131_053, "A voice message must be an ogg file with the opus codec.")
