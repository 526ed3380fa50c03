import { HashMap } from "effect"
import type { AnswerCondition } from "../../crm/AnswerCondition.ts"

/** Contact filter conditions of this area. */
export const contactConditions = {
  conversation_status: ({ conversations }, { id }, statuses) =>
    HashMap.toValues(conversations).some(
      ({ conversation }) => conversation.contactId === id && statuses.includes(conversation.status)
    )
} as const satisfies Readonly<Record<string, AnswerCondition>>
