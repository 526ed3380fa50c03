import { nextId, transact } from "@parley/domain/kernel"
import {
  changeContacts,
  type Contact,
  countContacts,
  createContact,
  createContactField,
  createSegment,
  createTag,
  deleteContact,
  deleteContactField,
  deleteSegment,
  deleteTag,
  dismissDuplicate,
  dropContactFile,
  DuplicateId,
  Duplicates,
  eraseContact,
  exportContacts,
  getContact,
  getContactImport,
  getSegment,
  getTag,
  importContacts,
  listContactFields,
  listFilterFields,
  listContacts,
  listDuplicates,
  listSegments,
  listTags,
  mergeContacts,
  mergeTags,
  readImportIssues,
  receiveContactFile,
  renderContacts,
  reencryptSuppressions,
  tagContact,
  unmergeContacts,
  untagContact,
  updateContact,
  updateContactField,
  updateSegment,
  updateTag,
  upsertContactByPhone
} from "@parley/domain/crm"
import { listContactRuns } from "@parley/domain/automation"
import { exportContact, readTimeline } from "@parley/domain/composition"
import { DateTime, Effect, Stream } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type Trace, type Values, type World } from "../attempting.ts"

const details: Values = {
  name: "Ada",
  phone: null,
  email: null,
  identities: [],
  locale: null,
  timezone: null,
  attributes: {},
  marketing: "unknown",
  blocked: false
}

const givenContact = (world: World, name = "Ada") => asOwner(world, createContact({ name }))

const givenTag = (world: World, name = "Before") => asOwner(world, createTag({ name, color: "#111111" }))

const givenField = (world: World) => asOwner(world, createContactField({ key: "city", name: "Before", type: "text" }))

const givenSegment = (world: World) => asOwner(world, createSegment({ name: "Before", filter: {} }))

const file = (text: string) => Stream.make(new TextEncoder().encode(text))

const givenFile = (world: World) => asOwner(world, receiveContactFile({ bytes: file("name\r\nAda\r\n"), max: 1_000 }))

const givenImport = (world: World) =>
  Effect.flatMap(givenFile(world), (arrived) => asOwner(world, importContacts({ file: arrived, format: "csv" })))

const of = (
  kind: string,
  id: string,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
): Trace => ({ action, target: { kind, id }, before, after, event })

const onContact = (
  contact: Contact,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
) => of("contact", contact.id, action, before, after, event)

/** A valid attempt at every use case about contacts, by the name of the use case. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "contactFields.create": () =>
    Effect.succeed(
      attempt(createContactField({ key: "city", name: "City", type: "text" }), ({ id }) =>
        of(
          "contact_field",
          id,
          "contact_field.created",
          null,
          { key: "city", name: "City", type: "text", choices: null },
          { type: "contact_field.created", contactFieldId: id }
        )
      )
    ),
  "contactFields.delete": (world) =>
    Effect.map(givenField(world), ({ id }) =>
      attempt(deleteContactField({ id, ifVersion: 1 }), (job) =>
        of("contact_field", id, "contact_field.deleted", { key: "city", name: "Before", type: "text" }, null, {
          type: "job.started",
          jobId: job.id,
          kind: "contact_fields.delete"
        })
      )
    ),
  "filterFields.list": reads(() => listFilterFields()),
  "contactFields.list": reads(() => listContactFields({ page: firstPage })),
  "contactFields.update": (world) =>
    Effect.map(givenField(world), ({ id }) =>
      attempt(updateContactField({ id, name: "After", ifVersion: 1 }), () =>
        of(
          "contact_field",
          id,
          "contact_field.updated",
          { name: "Before" },
          { name: "After" },
          { type: "contact_field.updated", contactFieldId: id }
        )
      )
    ),
  "contacts.change": (world) =>
    Effect.gen(function* () {
      const [contact, tag] = [yield* givenContact(world), yield* givenTag(world)]
      return attempt(changeContacts({ change: { action: "tag", tags: [tag.id] }, target: { ids: [contact.id] } }), () =>
        of(
          "contacts",
          "tag",
          "contacts.changed",
          null,
          { action: "tag", changed: 1 },
          { type: "contacts.changed", action: "tag", changed: 1, jobId: null }
        )
      )
    }),
  "contacts.create": () =>
    Effect.succeed(
      attempt(createContact({ name: "Ada" }), (contact) =>
        onContact(contact, "contact.created", null, details, { type: "contact.created", contactId: contact.id })
      )
    ),
  "contacts.delete": (world) =>
    Effect.map(givenContact(world), (contact) =>
      attempt(deleteContact({ id: contact.id, ifVersion: 1 }), () =>
        onContact(contact, "contact.deleted", details, null, {
          type: "contact.deleted",
          contactId: contact.id,
          erased: false
        })
      )
    ),
  "contacts.dropFile": (world) => Effect.map(givenFile(world), ({ id }) => attempt(dropContactFile({ id }))),
  "contacts.erase": (world) =>
    Effect.map(givenContact(world), (contact) =>
      attempt(eraseContact({ id: contact.id, ifVersion: 1 }), () =>
        onContact(contact, "contact.erased", null, null, {
          type: "contact.deleted",
          contactId: contact.id,
          erased: true
        })
      )
    ),
  "contacts.export": () =>
    Effect.succeed(
      attempt(exportContacts({ format: "csv" }), () =>
        of("contacts", "csv", "contacts.exported", null, { format: "csv" }, null)
      )
    ),
  "contacts.exportOne": (world) =>
    Effect.map(givenContact(world), (contact) =>
      attempt(exportContact({ id: contact.id }), () => onContact(contact, "contact.exported", null, null, null))
    ),
  "contacts.get": (world) => Effect.map(givenContact(world), ({ id }) => attempt(getContact({ id }))),
  "contacts.getImport": (world) => Effect.map(givenImport(world), ({ id }) => attempt(getContactImport({ id }))),
  "contacts.import": (world) =>
    Effect.map(givenFile(world), (arrived) =>
      attempt(importContacts({ file: arrived, format: "csv" }), ({ id, jobId }) =>
        of(
          "contact_import",
          id,
          "contacts.imported",
          null,
          { jobId, format: "csv", dryRun: false },
          { type: "job.started", jobId, kind: "contacts.import" }
        )
      )
    ),
  "contacts.count": reads(() => countContacts({})),
  "contacts.list": reads(() => listContacts({ page: firstPage })),
  "contacts.render": reads(() => renderContacts({ page: firstPage })),
  "contacts.merge": (world) =>
    Effect.gen(function* () {
      const [contact, other] = [yield* givenContact(world), yield* givenContact(world, "Ada L.")]
      return attempt(mergeContacts({ id: contact.id, contactId: other.id, ifVersion: 1 }), ({ mergeId }) =>
        onContact(
          contact,
          "contact.merged",
          null,
          { contactId: other.id, mergeId },
          { type: "contact.merged", contactId: contact.id, mergedId: other.id, mergeId }
        )
      )
    }),
  "contacts.readImportFaults": (world) => Effect.map(givenImport(world), ({ id }) => attempt(readImportIssues({ id }))),
  "contacts.receiveFile": reads(() => receiveContactFile({ bytes: file("name\r\nAda\r\n"), max: 1_000 })),
  "contacts.tag": (world) =>
    Effect.gen(function* () {
      const [contact, tag] = [yield* givenContact(world), yield* givenTag(world)]
      return attempt(tagContact({ id: contact.id, tags: [tag.id] }), () =>
        onContact(
          contact,
          "contact.tagged",
          null,
          { tags: [tag.id] },
          { type: "contact.tagged", contactId: contact.id, tagIds: [tag.id] }
        )
      )
    }),
  "contacts.listDuplicates": (world) =>
    Effect.map(givenContact(world), ({ id }) => attempt(listDuplicates({ id, page: firstPage }))),
  "contacts.dismissDuplicate": (world) =>
    Effect.gen(function* () {
      const external = { kind: "external", value: "crm-1" } as const
      const contact = yield* asOwner(world, createContact({ email: "ada@example.org" }))
      const other = yield* asOwner(world, createContact({ identities: [external] }))
      const [one] = contact.identities
      const id = yield* nextId(DuplicateId)
      const foundAt = yield* DateTime.now
      const duplicates = yield* Duplicates
      const links =
        one === undefined ? [] : [{ id, one, other: external, source: "chat" as const, foundAt, dismissedAt: null }]
      yield* asOwner(world, transact(duplicates.add(links)))
      return attempt(dismissDuplicate({ id: contact.id, otherId: other.id }), () =>
        onContact(
          contact,
          "contact.duplicate_dismissed",
          null,
          { contactId: other.id },
          { type: "contact.duplicate_dismissed", contactId: contact.id, otherId: other.id }
        )
      )
    }),
  "contacts.list_runs": (world) =>
    Effect.map(givenContact(world), ({ id }) => attempt(listContactRuns({ id, page: firstPage }))),
  "contacts.timeline": (world) =>
    Effect.map(givenContact(world), ({ id }) => attempt(readTimeline({ id, page: firstPage }))),
  "contacts.unmerge": (world) =>
    Effect.gen(function* () {
      const [contact, other] = [yield* givenContact(world), yield* givenContact(world, "Ada L.")]
      const { mergeId } = yield* asOwner(world, mergeContacts({ id: contact.id, contactId: other.id, ifVersion: null }))
      return attempt(unmergeContacts({ id: contact.id, mergeId, ifVersion: null }), () =>
        onContact(
          contact,
          "contact.unmerged",
          null,
          { contactId: other.id, mergeId },
          { type: "contact.unmerged", contactId: contact.id, restoredId: other.id, mergeId }
        )
      )
    }),
  "contacts.untag": (world) =>
    Effect.gen(function* () {
      const [contact, tag] = [yield* givenContact(world), yield* givenTag(world)]
      yield* asOwner(world, tagContact({ id: contact.id, tags: [tag.id] }))
      return attempt(untagContact({ id: contact.id, tag: [tag.id] }), () =>
        onContact(contact, "contact.untagged", { tags: [tag.id] }, null, {
          type: "contact.untagged",
          contactId: contact.id,
          tagIds: [tag.id]
        })
      )
    }),
  "contacts.update": (world) =>
    Effect.map(givenContact(world), (contact) =>
      attempt(updateContact({ id: contact.id, name: "Grace", ifVersion: 1 }), () =>
        onContact(
          contact,
          "contact.updated",
          { name: "Ada" },
          { name: "Grace" },
          { type: "contact.updated", contactId: contact.id, fields: ["name"] }
        )
      )
    ),
  "contacts.upsertByPhone": () =>
    Effect.succeed(
      attempt(upsertContactByPhone({ phone: "+49 170 1234567", name: "Ada" }), ({ contact }) =>
        onContact(
          contact,
          "contact.created",
          null,
          { ...details, phone: "+491701234567", identities: [{ kind: "phone", value: "+491701234567" }] },
          { type: "contact.created", contactId: contact.id }
        )
      )
    ),
  "segments.create": () =>
    Effect.succeed(
      attempt(createSegment({ name: "All", filter: {} }), ({ id }) =>
        of("segment", id, "segment.created", null, { name: "All" }, { type: "segment.created", segmentId: id })
      )
    ),
  "segments.delete": (world) =>
    Effect.map(givenSegment(world), ({ id }) =>
      attempt(deleteSegment({ id, ifVersion: 1 }), () =>
        of("segment", id, "segment.deleted", { name: "Before" }, null, { type: "segment.deleted", segmentId: id })
      )
    ),
  "segments.get": (world) => Effect.map(givenSegment(world), ({ id }) => attempt(getSegment({ id }))),
  "segments.list": reads(() => listSegments({ page: firstPage })),
  "segments.update": (world) =>
    Effect.map(givenSegment(world), ({ id }) =>
      attempt(updateSegment({ id, name: "After", ifVersion: 1 }), () =>
        of(
          "segment",
          id,
          "segment.updated",
          { name: "Before" },
          { name: "After" },
          { type: "segment.updated", segmentId: id }
        )
      )
    ),
  "suppressions.reseal": (world) =>
    Effect.gen(function* () {
      const marketing = { state: "unsubscribed" } as const
      const { id } = yield* asOwner(world, createContact({ email: "ada@example.org", marketing }))
      yield* asOwner(world, deleteContact({ id, ifVersion: null }))
      return attempt(reencryptSuppressions(), () =>
        of("suppressions", world.organization.id, "suppressions.resealed", null, null, null)
      )
    }),
  "tags.create": () =>
    Effect.succeed(
      attempt(createTag({ name: "VIP", color: "#111111" }), ({ id }) =>
        of("tag", id, "tag.created", null, { name: "VIP", color: "#111111" }, { type: "tag.created", tagId: id })
      )
    ),
  "tags.delete": (world) =>
    Effect.map(givenTag(world), ({ id }) =>
      attempt(deleteTag({ id, ifVersion: 1 }), () =>
        of("tag", id, "tag.deleted", { name: "Before", color: "#111111" }, null, { type: "tag.deleted", tagId: id })
      )
    ),
  "tags.get": (world) => Effect.map(givenTag(world), ({ id }) => attempt(getTag({ id }))),
  "tags.list": reads(() => listTags({ page: firstPage })),
  "tags.merge": (world) =>
    Effect.gen(function* () {
      const [from, into] = [yield* givenTag(world), yield* givenTag(world, "After")]
      return attempt(mergeTags({ id: from.id, into: into.id }), (job) =>
        of(
          "tag",
          from.id,
          "tag.merged",
          { name: "Before" },
          { name: "After" },
          { type: "job.started", jobId: job.id, kind: "tags.merge" }
        )
      )
    }),
  "tags.update": (world) =>
    Effect.map(givenTag(world), ({ id }) =>
      attempt(updateTag({ id, name: "After", ifVersion: 1 }), () =>
        of("tag", id, "tag.updated", { name: "Before" }, { name: "After" }, { type: "tag.updated", tagId: id })
      )
    )
}
