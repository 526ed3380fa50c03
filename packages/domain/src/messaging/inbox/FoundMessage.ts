import { Schema } from "effect"
import { wholeShownWith } from "../../kernel/index.ts"
import { ConversationContact } from "./Conversation.ts"
import { ConversationId } from "./Ids.ts"
import { Message } from "./Message.ts"

/** Where a snippet has what was looked for: in UTF-16 code units, `end` is the first that does not belong to it. */
export const SnippetMatch = Schema.Struct({ start: Schema.Int, end: Schema.Int }).annotate({
  identifier: "SnippetMatch"
})

/** A piece of what a message says, on one line, round the first match. It is plain text. */
export const Snippet = Schema.Struct({
  text: Schema.String,
  matches: Schema.Array(SnippetMatch)
}).annotate({ identifier: "Snippet", ...wholeShownWith("conversations.read") })
export type Snippet = typeof Snippet.Type

/** A message that a search has found, and whom it was exchanged with. */
export class FoundMessage extends Schema.Class<FoundMessage>("FoundMessage")({
  message: Message,
  snippet: Snippet,
  conversation: Schema.Struct({ id: ConversationId, contact: ConversationContact })
}) {}
