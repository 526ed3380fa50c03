import { Schema } from "effect"
import { AuditEvent } from "./audit/index.ts"
import { ConsentChange } from "./crm/Consent.ts"
import { Contact } from "./crm/Contact.ts"
import { ContactMerge } from "./crm/ContactMerge.ts"
import { Duplicate } from "./crm/Duplicate.ts"
import { Tag } from "./crm/Tag.ts"
import { Conversation } from "./inbox/Conversation.ts"
import { MediaView } from "./inbox/Media.ts"
import { Message } from "./inbox/Message.ts"
import { Note } from "./inbox/Note.ts"
import { TimelineEntry } from "./TimelineEntry.ts"

const {
  assigneeId,
  chatAccountId,
  createdAt,
  id,
  labels,
  lastActivityAt,
  lastInboundAt,
  priority,
  resolvedAt,
  status
} = Conversation.fields

/** A conversation of the person. */
export const ExportedConversation = Schema.Struct({
  id,
  chatAccountId,
  status,
  priority,
  assigneeId,
  labels,
  lastInboundAt,
  lastActivityAt,
  resolvedAt,
  createdAt
}).annotate({ identifier: "ExportedConversation" })

/** A file of the person's messages, and where its bytes are read. */
export const ExportedMedia = Schema.Struct({ ...MediaView.fields, url: Schema.String }).annotate({
  identifier: "ExportedMedia"
})

/**
 * Everything that is known of one person, for that person. `complete` is false if there was more than fits, or than whoever
 * asks may read.
 */
export const ContactExport = Schema.Struct({
  contact: Contact,
  tags: Schema.Array(Tag),
  consents: Schema.Array(ConsentChange),
  timeline: Schema.Array(TimelineEntry),
  conversations: Schema.Array(ExportedConversation),
  messages: Schema.Array(Message),
  notes: Schema.Array(Note),
  media: Schema.Array(ExportedMedia),
  duplicates: Schema.Array(Duplicate),
  merges: Schema.Array(ContactMerge),
  audit: Schema.Array(AuditEvent),
  complete: Schema.Boolean
}).annotate({ identifier: "ContactExport" })
export type ContactExport = typeof ContactExport.Type
