import { DateTime } from "effect"
import type { Note } from "./Note.ts"

/** What the audit trail keeps of a note: not what it says, which may be about a person. */
export const auditedNote = ({ conversationId, editedAt, mentions }: Note) => ({
  conversationId,
  mentions: [...mentions],
  editedAt: editedAt === null ? null : DateTime.formatIso(editedAt)
})
