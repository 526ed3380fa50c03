import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { ConsentChange } from "./Consent.ts"
import type { Contact } from "./Contact.ts"
import type { ContactMerge } from "./ContactMerge.ts"
import type { ContactId, ContactMergeId } from "./Ids.ts"
import type { HistoryEntry, TimelineNote } from "./Timeline.ts"

/** The most that is read of each kind of a contact's history at once. */
export const mostExported = 10_000

/** Whom a contact has become a part of, and by which merge. */
export interface Survivor {
  readonly id: ContactId
  readonly mergeId: ContactMergeId
}

/** What happened with contacts: the ledger of consent, which only grows, merges, and notes of the timeline. */
export class ContactHistory extends Context.Service<
  ContactHistory,
  TenantScoped<{
    readonly appendConsent: (changes: ReadonlyArray<ConsentChange>) => Effect.Effect<void, never, Transaction>
    readonly note: (contactId: ContactId, note: TimelineNote) => Effect.Effect<void, never, Transaction>
    /** Newest first; the key of a row is its id. */
    readonly consents: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<ConsentChange>>
    /** Changes of consent and notes, newest first by `at`; the key of a row is its `at`, as written, and its id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<HistoryEntry>>
    /** Hands all that happened with the merged contact to the survivor, and keeps the merge. */
    readonly merge: (merge: ContactMerge) => Effect.Effect<void, never, Transaction>
    readonly getMerge: (id: ContactMergeId) => Effect.Effect<ContactMerge, NotFound>
    /** The merges that stand with this contact as their survivor, newest first, at most `limit`. */
    readonly mergesInto: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<ContactMerge>>
    /** Whom a merge that stands has made this contact a part of; `null` if none has. */
    readonly survivorOf: (id: ContactId) => Effect.Effect<Survivor | null>
    /** Those who have become a part of these by merges that stand, directly or by others, in no order. */
    readonly partsOf: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<ContactId>>
    /** Hands back what a merge had handed over, and keeps that it was undone. What happened since stays with the survivor. */
    readonly unmerge: (id: ContactMergeId, now: DateTime.Utc) => Effect.Effect<void, NotFound, Transaction>
    /** Keeps that the survivor was this before the merge, since an earlier merge into it was undone. */
    readonly rebase: (id: ContactMergeId, before: Contact) => Effect.Effect<void, never, Transaction>
    /** Forgets everything about the contact. */
    readonly erase: (contactId: ContactId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/ContactHistory") {}
