import { DateTime, Effect } from "effect"
import { CurrentActor, refer, type UserId } from "../kernel/index.ts"
import { requireReader } from "./assignees.ts"
import type { Note } from "./Note.ts"

/** What the audit trail keeps of a note: not what it says, which may be about a person. */
export const auditedNote = ({ conversationId, editedAt, mentions }: Note) => ({
  conversationId,
  mentions: [...mentions],
  editedAt: editedAt === null ? null : DateTime.formatIso(editedAt)
})

/** Refuses to call anybody who is no member here. */
export const checkMentions = (mentions: ReadonlyArray<UserId>) =>
  Effect.forEach(mentions, (id, index) => requireReader(id, `/mentions/${index}`), { discard: true })

/** Whether whoever asks has written the note. */
export const isAuthor = ({ author }: Note) =>
  Effect.map(CurrentActor, (actor) => {
    const { id, kind } = refer(actor)
    return kind === author.kind && id === author.id
  })
