import { Schema } from "effect"
import { ActorRef, Timestamp, Uuid, wholeShownWith } from "../kernel/index.ts"
import { ConsentPurpose, ConsentState } from "./Consent.ts"
import { ContactId, ContactMergeId } from "./Ids.ts"

const entry = <const Kind extends string, F extends Schema.Struct.Fields>(kind: Kind, fields: F) =>
  Schema.Struct({ kind: Schema.Literal(kind), id: Uuid, at: Timestamp, actor: ActorRef, ...fields }).annotate(
    wholeShownWith("contacts.read")
  )

/** One thing that happened with a contact by itself, whatever was written with it. */
export const HistoryEntry = Schema.Union([
  entry("consent", {
    purpose: ConsentPurpose,
    state: ConsentState,
    source: Schema.String,
    evidence: Schema.NullOr(Schema.String)
  }),
  entry("merged", { contactId: ContactId, mergeId: ContactMergeId }),
  entry("unmerged", { contactId: ContactId, mergeId: ContactMergeId }),
  entry("blocked", {}),
  entry("unblocked", {})
]).annotate({ identifier: "HistoryEntry" })
export type HistoryEntry = typeof HistoryEntry.Type

/** What is written down as such; changes of consent stand in the timeline by themselves. */
export type TimelineNote = Exclude<HistoryEntry, { readonly kind: "consent" }>
