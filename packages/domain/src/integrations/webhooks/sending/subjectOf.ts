import { Predicate } from "effect"
import type { EventShape } from "../../../kernel/index.ts"

/** What events are about one after another: the contact, or else the conversation, or else what the first id names. */
export const subjectOf = (event: EventShape): string => {
  const fields = ["contactId", "conversationId", ...Object.keys(event).filter((field) => field.endsWith("Id"))]
  const field = fields.find((name) => Predicate.isString(event[name]))
  return field === undefined ? event.type : `${field}:${String(event[field])}`
}
