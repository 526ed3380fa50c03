import { Effect } from "effect"
import { idInput, defineArea, defineEventResource, defineEvents } from "../kernel/index.ts"
import { sweepOrganizations } from "../platform/background/index.ts"
import { defineEventConsumer } from "../platform/events/index.ts"
import { ExpandedContact } from "./Contact.ts"
import { ContactFields } from "./ContactFields.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { Contacts } from "./Contacts.ts"
import { Duplicates } from "./Duplicates.ts"
import { ContactId, SegmentId, TagId } from "./Identity.ts"
import { Segment, Segments } from "./Segments.ts"
import { suppressionListKeys, Suppressions } from "./Suppressions.ts"
import { Tag, Tags } from "./Tags.ts"
import { changeContactsJob, deleteContactFieldJob } from "./bulkChanges.ts"
import { CrmEvent } from "./events.ts"
import { ContactImportCleanup, ContactImports } from "./imports/ContactImport.ts"
import { importContactsJob } from "./imports/importJob.ts"
import { contactReindex } from "./searchReindex.ts"
import { mergeTagsJob } from "./tagging.ts"
import { getContact } from "./use-cases/contacts.ts"
import { getSegment } from "./use-cases/segments.ts"
import { getTag } from "./use-cases/tags.ts"

const crmStorage = [
  ContactFields,
  ContactHistory,
  ContactImportCleanup,
  ContactImports,
  Contacts,
  Duplicates,
  Segments,
  Suppressions,
  Tags
] as const

/** Number of contacts that lose a tag in one unit of work. */
const tagClearBatchSize = 1_000

/** Number of name words checked in one unit of work. Each check is a search. */
const wordBatchSize = 50

/** Removes a deleted tag from its contacts. Reads omit it until then. */
const clearTags = defineEventConsumer({
  name: "crm.clear_tags",
  schema: CrmEvent,
  events: ["tag.deleted", "tag.merged"],
  beginsWith: "first_event",
  batch: 20,
  handle: Effect.fnUntraced(function* (events) {
    const tags = yield* Tags
    for (const { event } of events) {
      if ((yield* tags.clear(event.tagId, tagClearBatchSize)) === tagClearBatchSize) return "more"
    }
    return "done"
  })
})

/** Deletes unused words of names after contacts have changed. */
const removeUnusedWords = defineEventConsumer({
  name: "crm.forget_words",
  schema: CrmEvent,
  events: [
    "contact.updated",
    "contact.merged",
    "contact.unmerged",
    "contact.deleted",
    "contacts.changed",
    "contacts.imported"
  ],
  beginsWith: "first_event",
  batch: 500,
  handle: () =>
    Effect.flatMap(Contacts, (contacts) =>
      Effect.map(contacts.forgetWords(wordBatchSize), (doubted) => (doubted === wordBatchSize ? "more" : "done"))
    )
})

export const crmEventConsumers = [clearTags, removeUnusedWords] as const

/** Each write counts its contacts, so imports do not wait for each other before writing. */
const contactUsage = {
  limit: "contacts",
  lock: null,
  count: Effect.flatMap(Contacts, (contacts) => contacts.count())
} as const

/** Updates search texts and deletes the remains of imports. */
export const crmTasks = [
  contactReindex,
  sweepOrganizations(
    "imports",
    Effect.flatMap(ContactImportCleanup, (imports) => imports.sweep())
  )
] as const

/** Resources of the events of this area, in the form of GET. */
const crmResources = [
  defineEventResource("contact", getContact, ExpandedContact, idInput("contactId", ContactId)),
  defineEventResource("segment", getSegment, Segment, idInput("segmentId", SegmentId)),
  defineEventResource("tag", getTag, Tag, idInput("tagId", TagId))
] as const

export const crmArea = defineArea({
  name: "crm",
  storage: crmStorage,
  events: defineEvents(CrmEvent, {
    "contact.created": "contacts.read",
    "contact.updated": "contacts.read",
    "contact.consent_changed": "contacts.read",
    "contact.tagged": "contacts.read",
    "contact.untagged": "contacts.read",
    "contact.merged": "contacts.read",
    "contact.unmerged": "contacts.read",
    "contact.duplicate_found": "contacts.read",
    "contact.duplicate_dismissed": "contacts.read",
    "contact.deleted": "contacts.read",
    "contacts.changed": "contacts.read",
    "contacts.imported": "contacts.read",
    "tag.created": "contacts.read",
    "tag.updated": "contacts.read",
    "tag.deleted": "contacts.read",
    "tag.merged": "contacts.read",
    "contact_field.created": "contacts.read",
    "contact_field.updated": "contacts.read",
    "contact_field.deleted": "contacts.read",
    "segment.created": "contacts.read",
    "segment.updated": "contacts.read",
    "segment.deleted": "contacts.read"
  }),
  permissions: [
    "contacts.read",
    "contacts.manage",
    "contacts.import",
    "contacts.export",
    "contacts.erase",
    "contact_fields.manage"
  ],
  backgroundTasks: crmTasks,
  jobs: [changeContactsJob, deleteContactFieldJob, importContactsJob, mergeTagsJob],
  eventConsumers: crmEventConsumers,
  limitUses: [contactUsage],
  sealedValues: [suppressionListKeys],
  eventResources: crmResources
})
