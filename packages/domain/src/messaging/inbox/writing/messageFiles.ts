import { DateTime, Effect } from "effect"
import { invalid, nextId, urlIssue, ValidationFailed, type ValidationIssue } from "../../../kernel/index.ts"
import type { ChatAccountId, MediaKind } from "../../chat/index.ts"
import { Media, MediaLibrary } from "../MediaLibrary.ts"
import { MediaId } from "../Message.ts"
import { likelyMimeType, sanitizeFilename } from "../mediaTypes.ts"
import { claimSendableFile } from "./templateMessages.ts"

const filenameOf = (link: string): string | null => {
  const last = link.split(/[?#]/u)[0]?.split("/").at(-1) ?? ""
  return last.includes(".") ? sanitizeFilename(last) : null
}

/** Adds the file behind a link to the library. Its bytes are fetched before the message is sent. */
const addLinkedFile = Effect.fnUntraced(function* (link: string, kind: MediaKind, chatAccountId: ChatAccountId) {
  const fault = urlIssue(link, { loopback: false, ownHost: null })
  if (fault !== null) return yield* invalid("/link", fault)
  const filename = filenameOf(link)
  const media = new Media({
    id: yield* nextId(MediaId),
    kind,
    mimeType: likelyMimeType(kind, filename),
    filename,
    size: null,
    state: "remote",
    fileId: null,
    remote: { chatAccountId, link },
    isUsed: true,
    createdAt: yield* DateTime.now
  })
  yield* (yield* MediaLibrary).insert([media])
  return { id: media.id, mimeType: media.mimeType, filename }
})

/** File of a message: an uploaded one, or a link. */
export interface FileChoice {
  readonly kind: MediaKind
  readonly mediaId?: MediaId
  readonly link?: string
}

/** Refuses a file without an id and a link, or with both. */
export const fileChoiceIssues = ({ link, mediaId }: FileChoice, at: string): ReadonlyArray<ValidationIssue> =>
  (link === undefined) === (mediaId === undefined)
    ? [{ pointer: `${at}/mediaId`, message: "Expected either mediaId or link" }]
    : []

/** Returns the file of a message if it can be sent. */
export const chosenFile = Effect.fnUntraced(function* (choice: FileChoice, chatAccountId: ChatAccountId) {
  const errors = fileChoiceIssues(choice, "")
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  return choice.mediaId === undefined
    ? yield* addLinkedFile(choice.link ?? "", choice.kind, chatAccountId)
    : yield* claimSendableFile(choice.mediaId, choice.kind, "/mediaId")
})
