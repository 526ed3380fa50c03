import { Schema } from "effect"
import { eventAppender } from "../kernel/index.ts"
import { ConsentPurpose, ConsentState } from "./Consent.ts"
import { BulkAction } from "./Contact.ts"
import { DuplicateSource } from "./Duplicates.ts"
import { ContactFieldId, ContactId, ContactMergeId, SegmentId, TagId } from "./Identity.ts"

const eventSchema = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const ConsentPath = Schema.Literals(["import", "merge"])
export type ConsentPath = typeof ConsentPath.Type

/** Events of contacts, tags, fields and segments. They contain no data that identifies a person. */
export const CrmEvent = Schema.Union([
  eventSchema("contact.created", {
    contactId: ContactId,
    /** True for the first import of a store. A file import reports its contacts as a total. */
    imported: Schema.optionalKey(Schema.Literal(true))
  }),
  eventSchema("contact.updated", {
    contactId: ContactId,
    fields: Schema.Array(Schema.String),
    /** Keys of the changed contact fields; absent for none, and in older events. */
    attributes: Schema.optionalKey(Schema.Array(Schema.String)),
    /** True for the first import of a store. */
    imported: Schema.optionalKey(Schema.Literal(true))
  }),
  eventSchema("contact.consent_changed", {
    contactId: ContactId,
    purpose: ConsentPurpose,
    from: ConsentState,
    to: ConsentState,
    /** Path of the change, if no current declaration caused it. */
    through: Schema.optionalKey(ConsentPath)
  }),
  eventSchema("contact.tagged", { contactId: ContactId, tagIds: Schema.Array(TagId) }),
  eventSchema("contact.untagged", { contactId: ContactId, tagIds: Schema.Array(TagId) }),
  eventSchema("contact.merged", { contactId: ContactId, mergedId: ContactId, mergeId: ContactMergeId }),
  eventSchema("contact.unmerged", { contactId: ContactId, restoredId: ContactId, mergeId: ContactMergeId }),
  eventSchema("contact.duplicate_found", { contactId: ContactId, otherId: ContactId, source: DuplicateSource }),
  eventSchema("contact.duplicate_dismissed", { contactId: ContactId, otherId: ContactId }),
  eventSchema("contact.deleted", { contactId: ContactId, erased: Schema.Boolean }),
  eventSchema("contacts.changed", {
    action: BulkAction,
    changed: Schema.Int,
    /** Contacts with consent changed to `unsubscribed`; absent for none. */
    unsubscribed: Schema.optionalKey(Schema.Int),
    jobId: Schema.NullOr(Schema.String)
  }),
  eventSchema("contacts.imported", { created: Schema.Int, updated: Schema.Int, jobId: Schema.String }),
  eventSchema("tag.created", { tagId: TagId }),
  eventSchema("tag.updated", { tagId: TagId }),
  eventSchema("tag.deleted", { tagId: TagId }),
  eventSchema("tag.merged", { tagId: TagId, into: TagId }),
  eventSchema("contact_field.created", { contactFieldId: ContactFieldId }),
  eventSchema("contact_field.updated", { contactFieldId: ContactFieldId }),
  eventSchema("contact_field.deleted", { contactFieldId: ContactFieldId }),
  eventSchema("segment.created", { segmentId: SegmentId }),
  eventSchema("segment.updated", { segmentId: SegmentId }),
  eventSchema("segment.deleted", { segmentId: SegmentId })
])
export type CrmEvent = typeof CrmEvent.Type

/** Appends an event in the commit of the change that it describes. */
export const appendEvent = eventAppender<CrmEvent>()
