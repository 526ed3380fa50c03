import { type Fields, objectAt, refuse, textAt, textIfAny } from "../checks.ts"
import { type Refusal, refusal } from "../failures.ts"
import { type FileKind, kindOfFile } from "../fileRules.ts"
import { isContentLink } from "../templates/shown.ts"
import { type CheckedContent, type Known, plain } from "./Known.ts"

export const mediaKeys: Readonly<Record<FileKind, ReadonlyArray<string>>> = {
  image: ["id", "link", "caption"],
  video: ["id", "link", "caption"],
  audio: ["id", "link", "voice"],
  document: ["id", "link", "caption", "filename"],
  sticker: ["id", "link"]
}

export const isMedia = (type: string): type is FileKind => Object.hasOwn(mediaKeys, type)

/** Checks a file by its id or link. The result is the error that comes after the message was accepted. */
export const checkFile = (file: Fields, kind: FileKind, known: Known): Refusal | null => {
  const { id, link } = file
  if ((id === undefined) === (link === undefined)) refuse(100, "Exactly one of id and link is required.")
  if (id === undefined) {
    const address = textAt(link, "link", 2_000)
    if (!/^https?:\/\/\S+$/u.test(address)) refuse(131_009, "Param link is not an address.")
    return isContentLink(address) ? refusal(131_053, "The link answered with the status 403.") : null
  }
  const found = known.file(textAt(id, "id", 200))
  if (found === undefined) return refuse(131_009, "The media id does not exist.")
  return kindOfFile(found.mimeType) === kind
    ? null
    : refusal(131_053, `The file has the type ${found.mimeType}, which is not a type of ${kind} messages.`)
}

const voiceFailure = (file: Fields, known: Known): Refusal | null => {
  const type = typeof file["id"] === "string" ? known.file(file["id"])?.mimeType : "audio/ogg"
  return type?.startsWith("audio/ogg") === true
    ? null
    : refusal(131_053, "A voice message must be an ogg file with the opus codec.")
}

export const checkMedia = (kind: FileKind, content: unknown, known: Known): CheckedContent => {
  const file = objectAt(content, kind, mediaKeys[kind])
  const failure = checkFile(file, kind, known)
  const { voice } = file
  if (voice !== undefined && typeof voice !== "boolean") refuse(100, "Param voice must be a boolean.")
  textIfAny(file["filename"], "filename", 240)
  const isVoice = voice === true
  return {
    template: null,
    text: textIfAny(file["caption"], "caption", 1_024) ?? "",
    isVoice,
    lateFailure: failure ?? (isVoice ? voiceFailure(file, known) : null)
  }
}

const headerTypes = ["text", "image", "video", "document"] as const

/** Checks the header of an interactive message. */
export const checkInteractiveHeader = (
  value: unknown,
  known: Known,
  allowed: ReadonlyArray<string> = headerTypes
): Refusal | null => {
  if (value === undefined) return null
  const header = objectAt(value, "header", ["type", "text", "image", "video", "document"])
  const type = textAt(header["type"], "header.type", 20)
  if (!allowed.includes(type)) return refuse(131_009, `The header must be one of {${allowed.join(", ")}}.`)
  if (type === "text") {
    textAt(header["text"], "header.text", 60)
    return null
  }
  const kind = type === "image" || type === "video" ? type : "document"
  const keys = kind === "document" ? ["id", "link", "filename"] : ["id", "link"]
  return checkFile(objectAt(header[kind], `header.${kind}`, keys), kind, known)
}

export const withFailure = (text: string, lateFailure: Refusal | null): CheckedContent => ({
  ...plain(text),
  lateFailure
})
