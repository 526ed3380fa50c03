import { Schema } from "effect"
import { appending } from "../kernel/index.ts"
import { ConsentPurpose, ConsentState } from "./Consent.ts"
import { BulkAction } from "./Contact.ts"
import { DuplicateSource } from "./Duplicates.ts"
import { ContactFieldId, ContactId, ContactMergeId, SegmentId, TagId } from "./Identity.ts"

const happened = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const ConsentPath = Schema.Literals(["import", "merge"])
export type ConsentPath = typeof ConsentPath.Type

/** Events of contacts and of what sorts them. None carries what a person could be known by. */
export const CrmEvent = Schema.Union([
  happened("contact.created", {
    contactId: ContactId,
    /** By the first import of a store; whoever came by a file is told in sum. */
    imported: Schema.optionalKey(Schema.Literal(true))
  }),
  happened("contact.updated", { contactId: ContactId, fields: Schema.Array(Schema.String) }),
  happened("contact.consent_changed", {
    contactId: ContactId,
    purpose: ConsentPurpose,
    from: ConsentState,
    to: ConsentState,
    /** What it changed by, where nobody has said so now. */
    through: Schema.optionalKey(ConsentPath)
  }),
  happened("contact.tagged", { contactId: ContactId, tagIds: Schema.Array(TagId) }),
  happened("contact.untagged", { contactId: ContactId, tagIds: Schema.Array(TagId) }),
  happened("contact.merged", { contactId: ContactId, mergedId: ContactId, mergeId: ContactMergeId }),
  happened("contact.unmerged", { contactId: ContactId, restoredId: ContactId, mergeId: ContactMergeId }),
  happened("contact.duplicate_found", { contactId: ContactId, otherId: ContactId, source: DuplicateSource }),
  happened("contact.duplicate_dismissed", { contactId: ContactId, otherId: ContactId }),
  happened("contact.deleted", { contactId: ContactId, erased: Schema.Boolean }),
  happened("contacts.changed", {
    action: BulkAction,
    changed: Schema.Int,
    /** Contacts with consent changed to `unsubscribed`; absent for none. */
    unsubscribed: Schema.optionalKey(Schema.Int),
    jobId: Schema.NullOr(Schema.String)
  }),
  happened("contacts.imported", { created: Schema.Int, updated: Schema.Int, jobId: Schema.String }),
  happened("tag.created", { tagId: TagId }),
  happened("tag.updated", { tagId: TagId }),
  happened("tag.deleted", { tagId: TagId }),
  happened("tag.merged", { tagId: TagId, into: TagId }),
  happened("contact_field.created", { contactFieldId: ContactFieldId }),
  happened("contact_field.updated", { contactFieldId: ContactFieldId }),
  happened("contact_field.deleted", { contactFieldId: ContactFieldId }),
  happened("segment.created", { segmentId: SegmentId }),
  happened("segment.updated", { segmentId: SegmentId }),
  happened("segment.deleted", { segmentId: SegmentId })
])
export type CrmEvent = typeof CrmEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = appending<CrmEvent>()
