import { DateTime, Effect, Schema } from "effect"
import {
  invalid,
  nextId,
  type Page,
  paged,
  pagedEncoded,
  type PageRequest,
  type EncodedJson,
  requireVersion,
  transact,
  useCase
} from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { JobId, startJob } from "../../platform/jobs/index.ts"
import type {
  BulkRequest,
  Contact,
  ContactByPhone,
  ContactExpansion,
  ContactPatch,
  ExpandedContact,
  NewContact
} from "../Contact.ts"
import { ContactHistory, loadContactTimeline } from "../ContactHistory.ts"
import { type AnyContactDataOwner, ContactDataOwners } from "../ContactDataOwner.ts"
import { Contacts, lockContact } from "../Contacts.ts"
import type { ContactId } from "../Identity.ts"
import { type PhoneNumber, PhoneNumberInput } from "../PhoneNumber.ts"
import { releaseIdentities } from "../Suppressions.ts"
import { checkTags } from "../Tags.ts"
import { applyBulkChange, changeContactsJob } from "../bulkChanges.ts"
import { addContact, changeContact } from "../contactChanges.ts"
import { contactAuditFields } from "../contactEvents.ts"
import { loadContactPage, expandContacts, loadExpandedContactPage, fuzzyVariants } from "../contactListing.ts"
import { parseContactSearch } from "../contactSearch.ts"
import { appendEvent } from "../events.ts"
import { buildContactFilter, type ContactListRequest } from "../filter/contactFilter.ts"
import { resolveFilter } from "../filter/filterResolution.ts"
import { addTags } from "../tagging.ts"

export const createContact = useCase(
  {
    name: "contacts.create",
    access: { permission: "contacts.manage" },
    audit: "contact.created",
    emits: ["contact.created"]
  },
  Effect.fnUntraced(function* (input: NewContact) {
    return yield* addContact(input, "api")
  }, transact)
)

export const getContact = useCase(
  { name: "contacts.get", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({
    id,
    expand = []
  }: {
    readonly id: ContactId
    readonly expand?: ReadonlyArray<ContactExpansion>
  }) {
    const contact: ExpandedContact = yield* (yield* Contacts).get(id)
    const [expanded] = yield* expandContacts([contact], expand)
    return expanded ?? contact
  })
)

/** Lists contacts. Exact matches of a search come first, followed by matches with corrected typing errors. */
export const listContacts = useCase(
  { name: "contacts.list", access: { permission: "contacts.read" } },
  ({ page, ...request }: { readonly page: PageRequest } & ContactListRequest) => loadExpandedContactPage(request, page)
)

/** Counts the contacts on all pages of the same list request, including matches with corrected typing errors. */
export const countContacts = useCase(
  { name: "contacts.count", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (request: Omit<ContactListRequest, "expand" | "sort">) {
    const contacts = yield* Contacts
    const filter = yield* buildContactFilter(request)
    const search = request.q === undefined ? null : parseContactSearch(request.q)
    const exact = yield* contacts.countOf({ filter, search })
    const near = search === null ? null : yield* fuzzyVariants(search)
    return { count: near === null ? exact : exact + (yield* contacts.countOf({ filter, search: near })) }
  })
)

/** Lists contacts as `listContacts` does, in encoded form unless related resources are requested. */
export const renderContacts = useCase(
  { name: "contacts.render", access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* ({ page, ...request }: { readonly page: PageRequest } & ContactListRequest) {
    if ((request.expand ?? []).length > 0) return yield* loadExpandedContactPage(request, page)
    const contacts = yield* Contacts
    const rendered: Page<EncodedJson<ExpandedContact>> = yield* loadContactPage(request, page, (list, query, page) =>
      pagedEncoded(list, page, (slice) => contacts.render(query, slice))
    )
    return rendered
  })
)

export const updateContact = useCase(
  {
    name: "contacts.update",
    access: { permission: "contacts.manage" },
    audit: "contact.updated",
    emits: ["contact.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: ContactId; readonly ifVersion: number | null } & ContactPatch) {
    const before = yield* lockContact(id)
    yield* requireVersion(before, ifVersion)
    return yield* changeContact(before, patch, "api")
  }, transact)
)

const decodePhone = Schema.decodeUnknownEffect(PhoneNumberInput)

const lockByPhone = Effect.fnUntraced(function* (phone: PhoneNumber) {
  const [contact] = yield* (yield* Contacts).lockByIdentity([{ kind: "phone", value: phone }])
  return contact ?? null
})

const change = Effect.fnUntraced(function* (taken: Contact, { tags = [], ...patch }: ContactByPhone) {
  yield* checkTags(tags, "/tags")
  const changed = yield* changeContact(taken, patch, "api")
  return { contact: yield* addTags(changed, tags), created: false }
})

/** Creates or updates the contact with this phone number. */
export const upsertContactByPhone = useCase(
  {
    name: "contacts.upsertByPhone",
    access: { permission: "contacts.manage" },
    audit: "contact.created",
    emits: ["contact.created"]
  },
  Effect.fnUntraced(function* ({ phone: typed, ...input }: { readonly phone: string } & ContactByPhone) {
    const phone = yield* Effect.mapError(decodePhone(typed), () =>
      invalid("/phone", "Expected a phone number with its country code, such as +491701234567")
    )
    const found = yield* lockByPhone(phone)
    if (found !== null) return yield* change(found, input)
    const add = Effect.map(addContact({ ...input, phone }, "api"), (contact) => ({ contact, created: true }))
    // A concurrent request may have added the contact. Then it exists now, and nothing was written.
    return yield* Effect.catchTag(add, "ContactExists", (exists) =>
      exists.kind === "phone"
        ? Effect.flatMap(lockContact(exists.contactId), (taken) => change(taken, input))
        : Effect.fail(exists)
    )
  }, transact)
)

/**
 * Deletes a contact with its conversations. The consent ledger stays as proof of declarations. An opt-out applies to later contacts with the same
 * identities.
 */
export const deleteContact = useCase(
  {
    name: "contacts.delete",
    access: { permission: "contacts.manage" },
    audit: "contact.deleted",
    emits: ["contact.deleted"]
  },
  Effect.fnUntraced(function* ({ id, ifVersion }: { readonly id: ContactId; readonly ifVersion: number | null }) {
    const before = yield* lockContact(id)
    yield* requireVersion(before, ifVersion)
    yield* releaseIdentities([{ contact: before, identities: before.identities }])
    const parts = yield* (yield* ContactHistory).partsOf([id])
    yield* (yield* ContactDataOwners).forget([id, ...parts], false)
    yield* (yield* Contacts).remove([id])
    yield* recordAudit("contact.deleted", { kind: "contact", id }, { before: contactAuditFields(before) })
    yield* appendEvent({ type: "contact.deleted", contactId: id, erased: false })
  }, transact)
)

/** Changes many contacts: named contacts immediately, contacts of a filter in the background. */
export const changeContacts = useCase(
  {
    name: "contacts.change",
    access: { permission: "contacts.manage" },
    audit: "contacts.changed",
    emits: ["contacts.changed"]
  },
  Effect.fnUntraced(function* ({ change, target }: BulkRequest) {
    if (change.action === "tag" || change.action === "untag") yield* checkTags(change.tags, "/change/tags")
    const { filter, ids } = target
    if ((filter === undefined) === (ids === undefined)) return yield* invalid("/target", "Expected ids or a filter")

    if (filter !== undefined) {
      yield* resolveFilter(filter, "/target/filter")
      const jobId = yield* nextId(JobId)
      const begunAt = yield* DateTime.now
      const job = yield* startJob(changeContactsJob, { jobId, change, filter, begunAt }, { id: jobId })
      yield* recordAudit("contacts.changed", { kind: "job", id: job.id }, { after: { action: change.action } })
      return { kind: "started", job } as const
    }

    const named = ids ?? []
    const found = new Set((yield* (yield* Contacts).find(named)).map(({ id }) => id))
    const { changed, unsubscribed } = yield* Effect.catchTag(
      applyBulkChange(
        change,
        named.filter((id) => found.has(id))
      ),
      "ContactExists",
      Effect.die
    )
    if (changed > 0) {
      yield* recordAudit(
        "contacts.changed",
        { kind: "contacts", id: change.action },
        { after: { action: change.action, changed } }
      )
      yield* appendEvent({
        type: "contacts.changed",
        action: change.action,
        changed,
        ...(unsubscribed > 0 && { unsubscribed }),
        jobId: null
      })
    }
    return {
      kind: "done",
      result: { matched: found.size, changed, missing: named.filter((id) => !found.has(id)) }
    } as const
  }, transact)
)

/** Reads the timeline of a contact, newest first. Omits entries that the actor cannot read. */
export const makeReadTimeline = <H extends AnyContactDataOwner>(holdings: ReadonlyArray<H>) =>
  useCase(
    { name: "contacts.timeline", access: { permission: "contacts.read" } },
    Effect.fnUntraced(function* ({ id, page }: { readonly id: ContactId; readonly page: PageRequest }) {
      yield* (yield* Contacts).get(id)
      return yield* paged(
        `contacts/${id}/timeline`,
        page,
        (slice) => loadContactTimeline(holdings, id, slice),
        (entry) => [DateTime.formatIso(entry.at), entry.id]
      )
    })
  )
