import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { CurrentActor, nextId, refer, Uuid } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { ContactMerge } from "../ContactMerge.ts"
import { Contacts } from "../Contacts.ts"
import { ContactMergeId } from "../Ids.ts"
import { mergedContact } from "./mergedContact.ts"
import { checkCompleteness } from "../checks/checkCompleteness.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"
import { lockContact } from "../lockContact.ts"

/** Merges two locked contacts. Everything of the other one moves to the survivor, and the merge can be undone. */
export const mergeLocked = Effect.fnUntraced(function* (before: Contact, merged: Contact) {
  const contacts = yield* Contacts
  const [id, otherId] = [before.id, merged.id]
  const now = yield* DateTime.now
  const actor = refer(yield* CurrentActor)
  const mergeId = yield* nextId(ContactMergeId)
  const survivor = mergedContact(before, merged, now)
  yield* checkCompleteness(survivor)
  const history = yield* ContactHistory
  yield* contacts.remove([otherId])
  yield* contacts.save(survivor, null)
  yield* contacts.tag([id], merged.tags, now)
  yield* history.merge(
    new ContactMerge({ id: mergeId, survivorId: id, before, merged, actor, at: now, undoneAt: null })
  )
  yield* history.note(id, { kind: "merged", id: yield* nextId(Uuid), at: now, actor, contactId: otherId, mergeId })
  // Ids only: what is known of one person must not stay in the trail of another when the first one is erased.
  yield* record("contact.merged", { kind: "contact", id }, { after: { contactId: otherId, mergeId } })
  yield* appendEvent({ type: "contact.merged", contactId: id, mergedId: otherId, mergeId })
  const holdings = yield* ContactHoldings
  yield* holdings.move({ mergeId, from: otherId, to: id }, now)
  if (survivor.blockedAt !== null) yield* holdings.block(id)
  yield* shareOptOuts([yield* lockContact(id)], "merge")
  return { contact: yield* lockContact(id), mergeId }
})
