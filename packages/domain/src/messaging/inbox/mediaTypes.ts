import { utf8Text } from "../../platform/files/index.ts"
import type { MediaKind } from "../chat/index.ts"

const megabyte = 1024 * 1024

/** Maximum size of a file by kind, in bytes. */
export const maxMediaBytes: Readonly<Record<MediaKind, number>> = {
  image: 5 * megabyte,
  video: 16 * megabyte,
  audio: 16 * megabyte,
  document: 100 * megabyte,
  sticker: 500 * 1024
}

const maxStaticStickerBytes = 100 * 1024

/** Number of leading bytes that identify the type of a file. */
export const signatureBytes = 512

type SignatureTest = (head: Uint8Array) => boolean

const latin = (head: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...head.slice(from, from + length))

const hasBytes =
  (...bytes: ReadonlyArray<number>): SignatureTest =>
  (head) =>
    bytes.every((byte, index) => head[index] === byte)

const hasText =
  (text: string, from = 0): SignatureTest =>
  (head) =>
    latin(head, from, text.length) === text

const anyOf =
  (...tests: ReadonlyArray<SignatureTest>): SignatureTest =>
  (head) =>
    tests.some((test) => test(head))

const allOf =
  (...tests: ReadonlyArray<SignatureTest>): SignatureTest =>
  (head) =>
    tests.every((test) => test(head))

const isMp4 = hasText("ftyp", 4)
const isZip = hasBytes(0x50, 0x4b, 0x03, 0x04)
/** Container of the older office formats. */
const isCompound = hasBytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
const isWebp = allOf(hasText("RIFF"), hasText("WEBP", 8))
/** Frame of MPEG audio of any layer: eleven set bits, and a layer. */
const isMpegFrame: SignatureTest = ([first = 0, second = 0]) =>
  first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0
/** Frame of AAC: twelve set bits, and no layer. */
const isAdts: SignatureTest = ([first = 0, second = 0]) => first === 0xff && (second & 0xf6) === 0xf0

/** UTF-8 without bytes that do not occur in texts. The last character can be incomplete. */
const isText: SignatureTest = (head) =>
  head.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x0c) &&
  [0, 1, 2, 3].some((cut) => utf8Text(head.slice(0, head.length - cut)) !== null)

interface MediaTypeRule {
  readonly kind: MediaKind
  readonly isOne: SignatureTest
}

const document = (isOne: SignatureTest): MediaTypeRule => ({ kind: "document", isOne })
const audio = (isOne: SignatureTest): MediaTypeRule => ({ kind: "audio", isOne })

/** File types that the provider accepts, with their leading bytes. */
const mediaTypes: Readonly<Record<string, MediaTypeRule>> = {
  "image/jpeg": { kind: "image", isOne: hasBytes(0xff, 0xd8, 0xff) },
  "image/png": { kind: "image", isOne: hasBytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  "image/webp": { kind: "sticker", isOne: isWebp },
  "video/mp4": { kind: "video", isOne: isMp4 },
  "video/3gpp": { kind: "video", isOne: isMp4 },
  "audio/aac": audio(anyOf(isAdts, isMp4)),
  "audio/mp4": audio(isMp4),
  "audio/mpeg": audio(anyOf(hasText("ID3"), isMpegFrame)),
  "audio/amr": audio(hasText("#!AMR")),
  "audio/ogg": audio(hasText("OggS")),
  "application/pdf": document(hasText("%PDF-")),
  "application/msword": document(isCompound),
  "application/vnd.ms-excel": document(isCompound),
  "application/vnd.ms-powerpoint": document(isCompound),
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": document(isZip),
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": document(isZip),
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": document(isZip),
  "text/plain": document(isText)
}

export const mimeTypes: ReadonlyArray<string> = Object.keys(mediaTypes)

/** Returns the type in lower case without its parameters, such as a codec. */
export const baseMimeType = (mimeType: string): string => (mimeType.split(";")[0] ?? "").trim().toLowerCase()

/** Returns the kind of message for a file of this type; `null` if the type cannot be sent. */
export const mediaKindOf = (mimeType: string): MediaKind | null => {
  const bare = baseMimeType(mimeType)
  return Object.hasOwn(mediaTypes, bare) ? (mediaTypes[bare]?.kind ?? null) : null
}

/** Usual types of file names, by their ending. */
const typesByEnding: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  mp4: "video/mp4",
  "3gp": "video/3gpp",
  aac: "audio/aac",
  m4a: "audio/mp4",
  mp3: "audio/mpeg",
  amr: "audio/amr",
  ogg: "audio/ogg",
  opus: "audio/ogg",
  pdf: "application/pdf",
  txt: "text/plain"
}

const firstTypes: Readonly<Record<MediaKind, string>> = {
  image: "image/jpeg",
  video: "video/mp4",
  audio: "audio/mpeg",
  document: "application/pdf",
  sticker: "image/webp"
}

/** Returns the likely type of a file with this name, until its bytes are known. */
export const likelyMimeType = (kind: MediaKind, filename: string | null): string => {
  const ending = filename?.split(".").at(-1)?.toLowerCase() ?? ""
  const type = Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined
  return type !== undefined && mediaKindOf(type) === kind ? type : firstTypes[kind]
}

/** Whether a browser could treat the file as a page, an image with scripts, or a program, for any declared type. */
const isActiveContent = (head: Uint8Array): boolean => {
  const text = latin(head, 0, head.length)
    .replace(/^(?:ï»¿|ÿþ|þÿ)/u, "")
    .replaceAll("\0", "")
    .trimStart()
    .toLowerCase()
  return text.startsWith("#!/") || /<(?:!doctype|html|head|body|script|svg|iframe|\?xml|\?php|!--)/u.test(text)
}

/** Whether these leading bytes match the type. */
export const isFileOfType = (mimeType: string, head: Uint8Array): boolean => {
  const type = mediaTypes[baseMimeType(mimeType)]
  if (type === undefined || head.length === 0 || !type.isOne(head)) return false
  return baseMimeType(mimeType) !== "text/plain" || !isActiveContent(head)
}

const animationFlag = 0x02

/** Whether a sticker is animated: the extended header of the file says so. */
const isAnimated = (head: Uint8Array): boolean =>
  latin(head, 12, 4) === "VP8X" && ((head[20] ?? 0) & animationFlag) !== 0

/** Returns the maximum size of a file with these leading bytes, in bytes. Static stickers are smaller than animated ones. */
export const maxBytesOf = (kind: MediaKind, head: Uint8Array): number =>
  kind === "sticker" && !isAnimated(head) ? maxStaticStickerBytes : maxMediaBytes[kind]

const maxFilenameLength = 200

/** Returns the file name without folders and invalid characters; `null` if nothing is left. */
export const sanitizeFilename = (declared: string): string | null => {
  const name = declared
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\uFFFD]+/gu, "")
    .split(/[/\\]/u)
    .at(-1)
    ?.replaceAll(/[<>:"|?*]+/gu, "_")
    .replaceAll(/\s+/gu, " ")
    .replace(/^[.\s]+/u, "")
    .trim()
  if (name === undefined || name === "") return null
  const ending = /\.[^.\s]{1,10}$/u.exec(name)?.[0] ?? ""
  const letters = Array.from(name)
  return letters.length <= maxFilenameLength
    ? name
    : `${letters.slice(0, maxFilenameLength - Array.from(ending).length).join("")}${ending}`
}
