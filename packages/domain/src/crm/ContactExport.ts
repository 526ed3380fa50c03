import { Schema } from "effect"
import { AuditEvent } from "../audit/index.ts"
import { ConsentChange } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import { ContactMerge } from "./ContactMerge.ts"
import { Tag } from "./Tag.ts"
import { TimelineEntry } from "./Timeline.ts"

/** The most entries of each kind that an export of one contact holds. */
export const mostExported = 10_000

/** Everything that is known of one person, for that person. `complete` is false if there was more than fits. */
export const ContactExport = Schema.Struct({
  contact: Contact,
  tags: Schema.Array(Tag),
  consents: Schema.Array(ConsentChange),
  timeline: Schema.Array(TimelineEntry),
  merges: Schema.Array(ContactMerge),
  audit: Schema.Array(AuditEvent),
  complete: Schema.Boolean
}).annotate({ identifier: "ContactExport" })
export type ContactExport = typeof ContactExport.Type
