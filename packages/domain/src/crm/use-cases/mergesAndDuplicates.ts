import { DateTime, Effect } from "effect"
import {
  CurrentActor,
  invalid,
  nextId,
  NotFound,
  paged,
  type PageRequest,
  toActorRef,
  requireVersion,
  transact,
  useCase,
  Uuid
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { withinLimitCounted } from "../../platform/entitlements/index.ts"
import { hasFieldType } from "../Attributes.ts"
import { Contact } from "../Contact.ts"
import { ContactFields } from "../ContactFields.ts"
import { ContactHistory, maxExportedEntries } from "../ContactHistory.ts"
import { ContactDataOwners } from "../ContactDataOwner.ts"
import { Contacts, lockContact } from "../Contacts.ts"
import { Duplicates } from "../Duplicates.ts"
import type { ContactId, ContactMergeId } from "../Identity.ts"
import { Tags } from "../Tags.ts"
import { recordConsents, propagateOptOuts } from "../consentRecords.ts"
import { applyOptOuts, checkCompleteness } from "../contactChanges.ts"
import { undoContactMerge } from "../contactMerging.ts"
import { mergeLockedContacts } from "../duplicateMerging.ts"
import { dismissPair, findDuplicates } from "../duplicatePairs.ts"
import { MergeUndone } from "../errors.ts"
import { appendEvent } from "../events.ts"

/** Lists possible duplicates, newest first: one entry for each reported pair of identities. */
export const listDuplicates = useCase(
  { name: "contacts.listDuplicates", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ id, page }: { readonly id: ContactId; readonly page: PageRequest }) {
    const contact = yield* (yield* Contacts).get(id)
    return yield* paged(
      `contacts/${id}/duplicates`,
      page,
      (slice) => findDuplicates(contact, slice),
      (duplicate) => [duplicate.id]
    )
  })
)

/** Declares two contacts two people. The existing evidence does not count again. */
export const dismissDuplicate = useCase(
  {
    name: "contacts.dismissDuplicate",
    access: { permission: "contacts.manage" },
    audit: "contact.duplicate_dismissed",
    emits: ["contact.duplicate_dismissed"]
  },
  Effect.fnUntraced(function* ({ id, otherId }: { readonly id: ContactId; readonly otherId: ContactId }) {
    const taken = yield* (yield* Contacts).lock([...new Set([id, otherId])])
    const [contact, other] = [taken.find((each) => each.id === id), taken.find((each) => each.id === otherId)]
    if (contact === undefined) return yield* new NotFound({ resource: "contact" })
    const now = yield* DateTime.now
    const dismissed =
      other === undefined ? 0 : yield* (yield* Duplicates).dismiss(contact.identities, other.identities, now)
    if (other === undefined || dismissed === 0) return yield* new NotFound({ resource: "duplicate" })
    yield* recordAudit("contact.duplicate_dismissed", { kind: "contact", id }, { after: { contactId: otherId } })
    yield* appendEvent({ type: "contact.duplicate_dismissed", contactId: id, otherId })
    yield* propagateOptOuts([contact, other])
  }, transact)
)

/** Merges two contacts. Moves all data of the other one to the survivor; the merge can be undone. */
export const mergeContacts = useCase(
  {
    name: "contacts.merge",
    access: { permission: "contacts.manage" },
    audit: "contact.merged",
    emits: ["contact.merged"]
  },
  Effect.fnUntraced(function* ({
    id,
    contactId: otherId,
    ifVersion
  }: {
    readonly id: ContactId
    readonly contactId: ContactId
    readonly ifVersion: number | null
  }) {
    if (id === otherId) return yield* invalid("/contactId", "A contact cannot be merged with itself")
    const contacts = yield* Contacts
    const locked = yield* contacts.lock([id, otherId])
    const before = locked.find((contact) => contact.id === id)
    if (before === undefined) return yield* new NotFound({ resource: "contact" })
    const merged = locked.find((contact) => contact.id === otherId)
    if (merged === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    yield* requireVersion(before, ifVersion)

    return yield* mergeLockedContacts(before, merged)
  }, transact)
)

const activeMerge = Effect.fnUntraced(function* (id: ContactId, mergeId: ContactMergeId) {
  const missing = new NotFound({ resource: "merge", pointer: "/mergeId" })
  const merge = yield* Effect.mapError((yield* ContactHistory).getMerge(mergeId), () => missing)
  if (merge.survivorId !== id) return yield* missing
  return merge.undoneAt === null ? merge : yield* new MergeUndone()
})

/** Removes tags and field values from the contact that were deleted since the merge. */
const withoutDeleted = Effect.fnUntraced(function* (contact: Contact) {
  const tags = (yield* (yield* Tags).find(contact.tags)).map(({ id }) => id)
  const fields = yield* (yield* ContactFields).all()
  return new Contact({
    ...contact,
    tags: tags.toSorted(),
    attributes: Object.fromEntries(
      Object.entries(contact.attributes).filter(([key, value]) =>
        fields.some((field) => field.key === key && field.status === "active" && hasFieldType(field, value))
      )
    )
  })
})

/** Undoes a merge: restores the other contact, and removes its data from the survivor. */
export const unmergeContacts = useCase(
  {
    name: "contacts.unmerge",
    access: { permission: "contacts.manage" },
    audit: "contact.unmerged",
    emits: ["contact.unmerged"]
  },
  Effect.fnUntraced(function* ({
    id,
    mergeId,
    ifVersion
  }: {
    readonly id: ContactId
    readonly mergeId: ContactMergeId
    readonly ifVersion: number | null
  }) {
    const contacts = yield* Contacts
    const history = yield* ContactHistory
    const before = yield* lockContact(id)
    yield* requireVersion(before, ifVersion)
    const merge = yield* activeMerge(id, mergeId)

    const now = yield* DateTime.now
    const actor = toActorRef(yield* CurrentActor)
    const later = (yield* history.mergesInto(id, maxExportedEntries)).filter((each) => each.id > mergeId).toReversed()
    const { isRefusal, rebased, removedTags, survivor } = undoContactMerge(before, merge, later, now)
    yield* checkCompleteness(survivor)
    const back = new Contact({
      ...(yield* withoutDeleted(merge.merged)),
      ...(isRefusal && { consent: before.consent }),
      updatedAt: now,
      version: merge.merged.version + 1
    })
    yield* contacts.untag([id], removedTags, now)
    yield* contacts.save(survivor, null)
    const { suppressionKey } = yield* contacts.insert([back]).pipe(withinLimitCounted("contacts"))
    const optingOut = applyOptOuts(null, back, undefined, suppressionKey)
    const restored = yield* Effect.catchTag(optingOut, "ContactOptedOut", Effect.die)
    yield* history.unmerge(mergeId, now)
    const undone = { mergeId, from: id, to: restored.id, later: later.map((each) => each.id) }
    yield* (yield* ContactDataOwners).moveBack(undone, now)
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
    yield* recordAudit("contact.unmerged", { kind: "contact", id }, { after: { contactId: restored.id, mergeId } })
    yield* appendEvent({ type: "contact.unmerged", contactId: id, restoredId: restored.id, mergeId })
    yield* propagateOptOuts([survivor, restored], "merge")
    return { contact: yield* lockContact(id), restored: yield* lockContact(restored.id) }
  }, transact)
)
