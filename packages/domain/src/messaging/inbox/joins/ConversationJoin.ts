import { Schema } from "effect"
import { ContactMergeId } from "../../../crm/index.ts"
import { Conversation } from "../Conversation.ts"

const Both = Schema.Struct({ kept: Conversation, other: Conversation })

/** Two unresolved conversations over one number that a merge of contacts joined: both before and right after the join. */
export class ConversationJoin extends Schema.Class<ConversationJoin>("ConversationJoin")({
  mergeId: ContactMergeId,
  before: Both,
  after: Both
}) {}
