import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../crm/index.ts"
import type { Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { BroadcastId } from "./Ids.ts"
import type { ContactRecipient } from "./recipientExport.ts"
import type { RecipientEntry } from "./RecipientEntry.ts"

/** A broadcast, and how many of its recipients have changed. */
export interface ChangedList {
  readonly broadcastId: BroadcastId
  readonly count: number
}

/** What the organization's broadcasts hold of contacts, and what happens to it when contacts are merged, unmerged or erased. */
export class ContactRecipients extends Context.Service<
  ContactRecipients,
  TenantScoped<{
    /** The broadcasts that a contact has got, newest first by `at`; the key of a row is its `at`, as written, and its id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<RecipientEntry>>
    /** The contact's places on lists, whatever came of them: at most `limit`, those of the newest broadcasts first. */
    readonly list: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<ContactRecipient>>
    /**
     * Hands the recipients of one contact to another, and its places on lists that were kept. Of broadcasts that are sending or paused, the
     * contact gets one message at the most: where it is on the list more than once, those who wait give way to what was begun or held out,
     * else to the contact's own place, and are excluded as `duplicate`. Says of how many that is true, of each broadcast.
     */
    readonly handOver: (move: Move) => Effect.Effect<ReadonlyArray<ChangedList>, never, Transaction>
    /**
     * Hands what a merge had handed over back to the contact it came from. Of broadcasts that are sending or paused, whoever had given way to
     * what is somebody else's again is pending from then on; says how many, of each broadcast.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ChangedList>, never, Transaction>
    /** Removes addresses and values of these contacts from all broadcasts, and from lists that were kept. They stay counted. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ContactRecipients") {}
