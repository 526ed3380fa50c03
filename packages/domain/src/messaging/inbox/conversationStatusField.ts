import { Effect } from "effect"
import { defineFilterField, type Filter, negated, someOf, valueReader } from "../../crm/index.ts"
import { ConversationStatus } from "./Conversation.ts"

const someStatuses = valueReader(
  someOf(ConversationStatus),
  `Expected some of: ${ConversationStatus.literals.join(", ")}`
)

const holds = (values: ReadonlyArray<string>): Filter => ({ kind: "known", condition: "conversation_status", values })

/** Whether a contact has a conversation with one of these statuses. */
export const conversationStatusField = defineFilterField({
  name: "conversationStatus",
  permission: "conversations.read",
  conditions: ["conversation_status"],
  operators: () => ({
    any_of: (value, fail) => someStatuses(value, fail, holds),
    none_of: (value, fail) => someStatuses(value, fail, (statuses) => negated(holds(statuses)))
  }),
  names: null,
  find: () => Effect.succeed([])
})
