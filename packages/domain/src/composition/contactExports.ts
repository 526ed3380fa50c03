import { Effect, Schema } from "effect"
import { AutomationRun, AutomationRunEntry } from "../automation/automations/runs/AutomationRun.ts"
import { WorkflowRun, WorkflowRunEntry } from "../automation/workflows/runs/WorkflowRun.ts"
import { recipientExportFields, RecipientEntry } from "../campaigns/ContactRecipients.ts"
import { Cart } from "../commerce/Cart.ts"
import { StoreTimelineEntry } from "../commerce/ContactCommerce.ts"
import { Order } from "../commerce/Order.ts"
import { StoreCustomer } from "../commerce/StoreCustomer.ts"
import {
  findRequestCustomers,
  findRequestOrders,
  PrivacyRequest,
  type PrivacyRequestId,
  requireReadyRequest,
  toOrderViews
} from "../commerce/index.ts"
import { ConsentChange } from "../crm/Consent.ts"
import { Contact } from "../crm/Contact.ts"
import { ContactMerge, HistoryEntry } from "../crm/ContactHistory.ts"
import { Duplicate } from "../crm/Duplicates.ts"
import { Tag } from "../crm/Tags.ts"
import { useCase, objectShownWith } from "../kernel/index.ts"
import { ConversationEntry, exportedCorrespondence } from "../messaging/inbox/ContactConversations.ts"
import { AuditEvent } from "../platform/audit/index.ts"
import { exportContact } from "./layers.ts"

/** Timeline entry of a contact: union of the entries of every area. */
export const TimelineEntry = Schema.Union([
  ...HistoryEntry.members,
  ...ConversationEntry.members,
  ...StoreTimelineEntry.members,
  RecipientEntry,
  AutomationRunEntry,
  WorkflowRunEntry
]).annotate({
  identifier: "TimelineEntry"
})
export type TimelineEntry = typeof TimelineEntry.Type

/** All data of one person, for that person. `complete` is false if a limit or the permissions of the actor exclude data. */
export const ContactExport = Schema.Struct({
  contact: Contact,
  tags: Schema.Array(Tag),
  consents: Schema.Array(ConsentChange),
  timeline: Schema.Array(TimelineEntry),
  ...exportedCorrespondence,
  storeCustomers: Schema.Array(StoreCustomer),
  orders: Schema.Array(Order),
  carts: Schema.Array(Cart),
  ...recipientExportFields,
  automationRuns: Schema.Array(AutomationRun),
  workflowRuns: Schema.Array(WorkflowRun),
  duplicates: Schema.Array(Duplicate),
  merges: Schema.Array(ContactMerge),
  audit: Schema.Array(AuditEvent),
  complete: Schema.Boolean
}).annotate({ identifier: "ContactExport", ...objectShownWith("contacts.export") })
export type ContactExport = typeof ContactExport.Type

/** All data of a person who requested it through a shop. `contact` is `null` for a person who is not a contact. `complete` is false if a limit or the permissions of the actor exclude data. */
export const PrivacyExport = Schema.Struct({
  privacyRequest: PrivacyRequest,
  customers: Schema.Array(StoreCustomer),
  orders: Schema.Array(Order).annotateKey({
    description: "Stored orders that the shop lists in its request, and other orders of the customers."
  }),
  contact: Schema.NullOr(ContactExport),
  complete: Schema.Boolean
}).annotate({ identifier: "PrivacyExport" })
export type PrivacyExport = typeof PrivacyExport.Type

/** Reads the current data for a privacy request. */
export const exportPrivacyRequest = useCase(
  { name: "privacyRequests.export", access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: PrivacyRequestId }) {
    const kept = yield* requireReadyRequest(id)
    const { contactId } = kept.request
    const contact =
      contactId === null
        ? null
        : yield* Effect.catchTag(exportContact({ id: contactId }), "NotFound", () => Effect.succeed(null))
    const { complete, orders } = yield* findRequestOrders(kept)
    return {
      privacyRequest: kept.request,
      customers: yield* findRequestCustomers(kept),
      orders: yield* toOrderViews(orders),
      contact,
      complete: complete && contact?.complete !== false
    }
  })
)
