import { Schema } from "effect"
import { AuditEvent } from "./platform/audit/index.ts"
import { AutomationRun } from "./automation/automations/runs/AutomationRun.ts"
import { exportedRecipients } from "./campaigns/recipientExport.ts"
import { ConsentChange } from "./crm/Consent.ts"
import { Contact } from "./crm/Contact.ts"
import { ContactMerge } from "./crm/ContactMerge.ts"
import { Duplicate } from "./crm/Duplicate.ts"
import { Tag } from "./crm/Tag.ts"
import { exportedCorrespondence } from "./messaging/inbox/correspondenceExport.ts"
import { wholeShownWith } from "./kernel/index.ts"
import { Cart } from "./commerce/Cart.ts"
import { Order } from "./commerce/Order.ts"
import { StoreCustomer } from "./commerce/StoreCustomer.ts"
import { TimelineEntry } from "./TimelineEntry.ts"

/**
 * Everything that is known of one person, for that person. `complete` is false if there was more than fits, or than whoever
 * asks may read.
 */
export const ContactExport = Schema.Struct({
  contact: Contact,
  tags: Schema.Array(Tag),
  consents: Schema.Array(ConsentChange),
  timeline: Schema.Array(TimelineEntry),
  ...exportedCorrespondence,
  storeCustomers: Schema.Array(StoreCustomer),
  orders: Schema.Array(Order),
  carts: Schema.Array(Cart),
  ...exportedRecipients,
  automationRuns: Schema.Array(AutomationRun),
  duplicates: Schema.Array(Duplicate),
  merges: Schema.Array(ContactMerge),
  audit: Schema.Array(AuditEvent),
  complete: Schema.Boolean
}).annotate({ identifier: "ContactExport", ...wholeShownWith("contacts.export") })
export type ContactExport = typeof ContactExport.Type
