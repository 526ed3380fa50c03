import { Schema } from "effect"
import { Contact } from "../../crm/index.ts"
import { Member } from "../../platform/identity/index.ts"
import { wholeShownWith } from "../../kernel/index.ts"
import { ConversationView } from "./Conversation.ts"

/** What a conversation names by ids that an answer can have beside them. */
export const ConversationExpansion = Schema.Literals(["assignee", "contact"])
export type ConversationExpansion = typeof ConversationExpansion.Type

/** A conversation, with what was asked for of what it names. */
export const ExpandedConversation = Schema.Struct({
  ...ConversationView.fields,
  expanded: Schema.optionalKey(
    Schema.Struct({
      assignee: Schema.optionalKey(Schema.NullOr(Member)).annotateKey({
        description: "The member who takes care of it; `null` for nobody. Not there for who may not read members."
      }),
      contact: Schema.optionalKey(Schema.NullOr(Contact)).annotateKey({
        description: "The whole contact. Not there for who may not read contacts."
      })
    })
  ).annotateKey({ description: "What `expand` asked for." })
}).annotate({ identifier: "ExpandedConversation", ...wholeShownWith("conversations.read") })
export type ExpandedConversation = typeof ExpandedConversation.Type
