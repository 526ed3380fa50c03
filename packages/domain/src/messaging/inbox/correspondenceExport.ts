import { Schema } from "effect"
import { wholeShownWith } from "../../kernel/index.ts"
import { Conversation } from "./Conversation.ts"
import { MediaView } from "./Media.ts"
import { Message } from "./Message.ts"
import { Note } from "./Note.ts"

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
}).annotate({ identifier: "ExportedConversation", ...wholeShownWith("conversations.read") })

/** A file of the person's messages, and where its bytes are read. */
export const ExportedMedia = Schema.Struct({ ...MediaView.fields, url: Schema.String }).annotate({
  identifier: "ExportedMedia",
  ...wholeShownWith("conversations.read")
})

/** The export of a person's conversations. */
export const exportedCorrespondence = {
  conversations: Schema.Array(ExportedConversation),
  messages: Schema.Array(Message),
  notes: Schema.Array(Note),
  media: Schema.Array(ExportedMedia)
}
