import { HashMap } from "effect"
import type { AnswerCondition } from "../../crm/AnswerCondition.ts"

/** What filters ask this area of a contact. */
export const contactConditions = {
  conversation_status: ({ conversations }, { id }, statuses) =>
    HashMap.toValues(conversations).some(
      ({ conversation }) => conversation.contactId === id && statuses.includes(conversation.status)
    )
} as const satisfies Readonly<Record<string, AnswerCondition>>
