import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { admittingCounted } from "../../platform/entitlements/index.ts"
import { CurrentActor, nextId, NotFound, refer, requireVersion, transact, useCase, Uuid } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { isOfType } from "../Attributes.ts"
import { Contact } from "../Contact.ts"
import { ContactHoldings } from "../ContactHolding.ts"
import { ContactFields } from "../ContactFields.ts"
import { ContactHistory, mostExported } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import { MergeUndone } from "../Errors.ts"
import type { ContactId, ContactMergeId } from "../Ids.ts"
import { unmergedContact } from "../merges/unmergedContact.ts"
import { Tags } from "../Tags.ts"
import { checkCompleteness } from "../checks/checkCompleteness.ts"
import { applyOptOuts } from "../consent/applyOptOuts.ts"
import { dismissPair } from "../duplicates/dismissPair.ts"
import { recordConsents } from "../consent/recordConsents.ts"
import { shareOptOuts } from "../consent/shareOptOuts.ts"
import { lockContact } from "../lockContact.ts"

const activeMerge = Effect.fnUntraced(function* (id: ContactId, mergeId: ContactMergeId) {
  const missing = new NotFound({ resource: "merge", pointer: "/mergeId" })
  const merge = yield* Effect.mapError((yield* ContactHistory).getMerge(mergeId), () => missing)
  if (merge.survivorId !== id) return yield* missing
  return merge.undoneAt === null ? merge : yield* new MergeUndone()
})

/** The contact without tags and values of fields that were deleted since. */
const withoutDeleted = Effect.fnUntraced(function* (contact: Contact) {
  const tags = (yield* (yield* Tags).find(contact.tags)).map(({ id }) => id)
  const fields = yield* (yield* ContactFields).all()
  return new Contact({
    ...contact,
    tags: tags.toSorted(),
    attributes: Object.fromEntries(
      Object.entries(contact.attributes).filter(([key, value]) =>
        fields.some((field) => field.key === key && field.status === "active" && isOfType(field, value))
      )
    )
  })
})

/** Undoes a merge: the other contact is restored as it was, and the survivor loses what it brought. */
export const unmergeContacts = useCase(
  "contacts.unmerge",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, mergeId: ContactMergeId, expectedVersion: number | null) {
    const contacts = yield* Contacts
    const history = yield* ContactHistory
    const before = yield* lockContact(id)
    yield* requireVersion(before, expectedVersion)
    const merge = yield* activeMerge(id, mergeId)

    const now = yield* DateTime.now
    const actor = refer(yield* CurrentActor)
    const later = (yield* history.mergesInto(id, mostExported)).filter((each) => each.id > mergeId).toReversed()
    const { isRefusal, rebased, removedTags, survivor } = unmergedContact(before, merge, later, now)
    yield* checkCompleteness(survivor)
    const back = new Contact({
      ...(yield* withoutDeleted(merge.merged)),
      ...(isRefusal && { consent: before.consent }),
      updatedAt: now,
      version: merge.merged.version + 1
    })
    yield* contacts.untag([id], removedTags, now)
    yield* contacts.save(survivor, null)
    const { suppressionKey } = yield* contacts.insert([back]).pipe(admittingCounted("contacts"))
    const optingOut = applyOptOuts(null, back, undefined, suppressionKey)
    const restored = yield* Effect.catchTag(optingOut, "ContactOptedOut", Effect.die)
    yield* history.unmerge(mergeId, now)
    const undone = { mergeId, from: id, to: restored.id, later: later.map((each) => each.id) }
    yield* (yield* ContactHoldings).moveBack(undone, now)
    yield* Effect.forEach(rebased, (each) => history.rebase(each.id, each.before), { discard: true })
    yield* dismissPair(survivor, restored, now)
    yield* recordConsents([
      { contactId: restored.id, before: merge.merged.consent, after: restored.consent, evidence: null }
    ])
    yield* history.note(id, {
      kind: "unmerged",
      id: yield* nextId(Uuid),
      at: now,
      actor,
      contactId: restored.id,
      mergeId
    })
    yield* record("contact.unmerged", { kind: "contact", id }, { after: { contactId: restored.id, mergeId } })
    yield* appendEvent({ type: "contact.unmerged", contactId: id, restoredId: restored.id, mergeId })
    yield* shareOptOuts([survivor, restored], "merge")
    return { contact: yield* lockContact(id), restored: yield* lockContact(restored.id) }
  }, transact)
)
