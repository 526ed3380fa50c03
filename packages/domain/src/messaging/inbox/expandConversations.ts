import { Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { Members } from "../../platform/identity/index.ts"
import { CurrentActor, holds } from "../../kernel/index.ts"
import type { ConversationExpansion, ExpandedConversation } from "./ExpandedConversation.ts"

const assigneesOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ExpandedConversation>) {
  const ids = [...new Set(rows.flatMap(({ assigneeId }) => assigneeId ?? []))]
  const members = ids.length === 0 ? [] : yield* (yield* Members).findByUsers(ids)
  return new Map(members.map((member) => [member.userId, member]))
})

const contactsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ExpandedConversation>) {
  const contacts = yield* (yield* Contacts).find([...new Set(rows.map(({ contact }) => contact.id))])
  return new Map(contacts.map((contact) => [contact.id, contact]))
})

/**
 * Puts what conversations name beside its ids. Each kind of it is read once for all of them, and left out for who may
 * not read it.
 */
export const expandConversations = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ExpandedConversation>,
  expand: ReadonlyArray<ConversationExpansion>
) {
  if (expand.length === 0 || rows.length === 0) return rows
  const actor = yield* CurrentActor
  const assignees = expand.includes("assignee") && holds(actor, "members.read") ? yield* assigneesOf(rows) : null
  const contacts = expand.includes("contact") && holds(actor, "contacts.read") ? yield* contactsOf(rows) : null
  return rows.map((row) => ({
    ...row,
    expanded: {
      ...(assignees !== null && { assignee: assignees.get(row.assigneeId) ?? null }),
      ...(contacts !== null && { contact: contacts.get(row.contact.id) ?? null })
    }
  }))
})
