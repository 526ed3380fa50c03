import { Effect } from "effect"
import { idArgument, defineArea, defineEventResource, type EventShape, defineEvents } from "../kernel/index.ts"
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

/** The ports that a storage adapter provides of this area. */
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

/** How many contacts lose a tag in one unit of work. */
const tagClearBatchSize = 1_000

/** How many words of names are looked for in one unit of work: each is a search. */
const wordBatchSize = 50

/** Takes a tag that is gone off the contacts that had it. Until then it is left out wherever they are read. */
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

/** Forgets the words of names that nobody has any more, once somebody may have had them last. */
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

/** What this area does about events. */
export const crmEventConsumers = [clearTags, removeUnusedWords] as const

/** Storing contacts counts them, so that imports need not wait for each other before they write. */
const contactUsage = {
  limit: "contacts",
  lock: null,
  count: Effect.flatMap(Contacts, (contacts) => contacts.count())
} as const

/** Search texts are brought up to date, and what imports have left behind is deleted. */
export const crmTasks = [
  contactReindex,
  sweepOrganizations(
    "imports",
    Effect.flatMap(ContactImportCleanup, (imports) => imports.sweep())
  )
] as const

/** Without optional relations. */
const contact = (event: EventShape): [id: ContactId] | null => idArgument("contactId", ContactId)(event)

/** The resources of the events of this area, as GET answers them. */
const crmResources = [
  defineEventResource("contact", getContact, ExpandedContact, contact),
  defineEventResource("segment", getSegment, Segment, idArgument("segmentId", SegmentId)),
  defineEventResource("tag", getTag, Tag, idArgument("tagId", TagId))
] as const

/** What this area says of itself. */
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
  works: crmTasks,
  jobs: [changeContactsJob, deleteContactFieldJob, importContactsJob, mergeTagsJob],
  reactions: crmEventConsumers,
  limitUses: [contactUsage],
  sealedValues: [suppressionListKeys],
  eventResources: crmResources
})
