import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import {
  CurrentActor,
  invalid,
  nextId,
  NotFound,
  Outbox,
  refer,
  requireVersion,
  transact,
  useCase,
  Uuid
} from "../../kernel/index.ts"
import { ContactConversations, type JoinedConversation } from "../ContactConversations.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { ContactMerge } from "../ContactMerge.ts"
import { Contacts } from "../Contacts.ts"
import { type ContactId, ContactMergeId } from "../Ids.ts"
import { joined } from "../merging.ts"
import { checkWhole } from "./checkDetails.ts"
import { takeContact } from "./takeContact.ts"
import { tellJoined } from "./tellJoined.ts"

const joinedText =
  (changes: ReadonlyArray<JoinedConversation>) =>
  ({ after: { chatAccountId, id, status } }: JoinedConversation) => {
    const beside = changes.find(({ after }) => after.chatAccountId === chatAccountId && after.id !== id)?.after.id
    return status === "resolved"
      ? `The contacts were merged: this goes on in the conversation ${beside}.`
      : `The contacts were merged: the conversation ${beside} was joined to this one.`
  }

/** Makes two contacts one. Everything of the other one goes to the survivor, and can be put back. */
export const mergeContacts = useCase(
  "contacts.merge",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, otherId: ContactId, expectedVersion: number | null) {
    if (id === otherId) return yield* invalid("/contactId", "A contact cannot be merged with itself")
    const contacts = yield* Contacts
    const taken = yield* contacts.take([id, otherId])
    const before = taken.find((contact) => contact.id === id)
    if (before === undefined) return yield* new NotFound({ resource: "contact" })
    const merged = taken.find((contact) => contact.id === otherId)
    if (merged === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    yield* requireVersion(before, expectedVersion)

    const now = yield* DateTime.now
    const actor = refer(yield* CurrentActor)
    const mergeId = yield* nextId(ContactMergeId)
    const survivor = joined(before, merged, now)
    yield* checkWhole(survivor)
    const history = yield* ContactHistory
    yield* contacts.remove([otherId])
    yield* contacts.save(survivor, null)
    yield* contacts.tag([id], merged.tags, now)
    yield* history.merge(
      new ContactMerge({ id: mergeId, survivorId: id, before, merged, actor, at: now, undoneAt: null })
    )
    yield* history.note(id, { kind: "merged", id: yield* nextId(Uuid), at: now, actor, contactId: otherId, mergeId })
    const changes = yield* (yield* ContactConversations).handOver(otherId, id, mergeId, now)
    // Ids only: what is known of one person must not stay in the trail of another when the first one is erased.
    yield* record("contact.merged", { kind: "contact", id }, { after: { contactId: otherId, mergeId } })
    const outbox = yield* Outbox
    yield* outbox.append({ type: "contact.merged", contactId: id, mergedId: otherId, mergeId })
    yield* tellJoined(changes, joinedText(changes))
    return { contact: yield* takeContact(id), mergeId }
  }, transact)
)
