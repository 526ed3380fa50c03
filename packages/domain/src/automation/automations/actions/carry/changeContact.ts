import { Effect } from "effect"
import { lockContact, tagContact, untagContact, updateContact } from "../../../../crm/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"

const change = (action: ActionOf<"tag" | "untag" | "set_attribute">, { contactId }: ActionFacts) => {
  switch (action.type) {
    case "tag":
      return tagContact(contactId, action.tagIds)
    case "untag":
      return untagContact(contactId, action.tagIds)
    case "set_attribute":
      return updateContact(contactId, { attributes: action.attributes }, null)
  }
}

/** Changes what is known of the contact. */
export const changeContact = Effect.fnUntraced(function* (
  action: ActionOf<"tag" | "untag" | "set_attribute">,
  facts: ActionFacts
) {
  const before = yield* lockContact(facts.contactId)
  const after = yield* change(action, facts)
  return done(after.version === before.version ? null : { kind: "contact", id: after.id })
})
