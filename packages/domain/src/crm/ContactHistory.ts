import { Context, DateTime, Effect, Order, Schema } from "effect"
import {
  ActorRef,
  type NotFound,
  type Slice,
  type Tenancy,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid,
  objectShownWith
} from "../kernel/index.ts"
import { type ConsentChange, ConsentPurpose, consentRunId, ConsentState } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import {
  type AnyContactDataOwner,
  type TimelineEntryOf,
  type TimelineEntryShape,
  type ContactDataServices,
  readableDataOwners
} from "./ContactDataOwner.ts"
import { ContactId, ContactMergeId } from "./Identity.ts"

const entry = <const Kind extends string, F extends Schema.Struct.Fields>(kind: Kind, fields: F) =>
  Schema.Struct({ kind: Schema.Literal(kind), id: Uuid, at: Timestamp, actor: ActorRef, ...fields }).annotate(
    objectShownWith("contacts.read")
  )

/** Event in a contact's own history, without its conversations. */
export const HistoryEntry = Schema.Union([
  entry("consent", {
    purpose: ConsentPurpose,
    state: ConsentState,
    source: Schema.String,
    evidence: Schema.NullOr(Schema.String),
    runId: consentRunId
  }),
  entry("merged", { contactId: ContactId, mergeId: ContactMergeId }),
  entry("unmerged", { contactId: ContactId, mergeId: ContactMergeId }),
  entry("blocked", {}),
  entry("unblocked", {})
]).annotate({ identifier: "HistoryEntry" })
export type HistoryEntry = typeof HistoryEntry.Type

/** Timeline notes that are stored as such. Consent changes appear in the timeline automatically. */
export type TimelineNote = Exclude<HistoryEntry, { readonly kind: "consent" }>

/** Merge of two contacts, with the data to undo it. */
export class ContactMerge extends Schema.Class<ContactMerge>("ContactMerge")(
  {
    id: ContactMergeId,
    survivorId: ContactId,
    /** Survivor before the merge. */
    before: Contact,
    /** Other contact, hidden while the merge is active. */
    merged: Contact,
    actor: ActorRef,
    at: Timestamp,
    undoneAt: Schema.NullOr(Timestamp)
  },
  objectShownWith("contacts.read")
) {}

/** Result of a merge: the remaining contact, and the merge id to undo it. */
export const ContactMergeResult = Schema.Struct({ contact: Contact, mergeId: ContactMergeId }).annotate({
  identifier: "Merged"
})
export type ContactMergeResult = typeof ContactMergeResult.Type

/** Result of an unmerge: both contacts. */
export const ContactUnmergeResult = Schema.Struct({ contact: Contact, restored: Contact }).annotate({
  identifier: "Unmerged"
})
export type ContactUnmergeResult = typeof ContactUnmergeResult.Type

/** Maximum number of entries per read, for each kind of history. */
export const maxExportedEntries = 10_000

/** Contact that another one was merged into, and the merge. */
export interface Survivor {
  readonly id: ContactId
  readonly mergeId: ContactMergeId
}

/** History of contacts: the append-only consent ledger, merges and timeline notes. */
export class ContactHistory extends Context.Service<
  ContactHistory,
  TenantScoped<{
    readonly appendConsent: (changes: ReadonlyArray<ConsentChange>) => Effect.Effect<void, never, Transaction>
    readonly note: (contactId: ContactId, note: TimelineNote) => Effect.Effect<void, never, Transaction>
    /** Newest first. The row key is the id. */
    readonly consents: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<ConsentChange>>
    /** Returns consent changes and notes, newest first by `at`. The row key is `at`, as written, and the id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<HistoryEntry>>
    /** Moves the history of the merged contact to the survivor, and stores the merge. */
    readonly merge: (merge: ContactMerge) => Effect.Effect<void, never, Transaction>
    readonly getMerge: (id: ContactMergeId) => Effect.Effect<ContactMerge, NotFound>
    /** Returns active merges with this contact as survivor, newest first, at most `limit`. */
    readonly mergesInto: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<ContactMerge>>
    /** Returns the contact that an active merge merged this one into; `null` without such a merge. */
    readonly survivorOf: (id: ContactId) => Effect.Effect<Survivor | null>
    /** Returns contacts that active merges merged into these, directly or indirectly, unordered. */
    readonly partsOf: (ids: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<ContactId>>
    /** Moves back the data that a merge moved, and stores that it was undone. Later data stays with the survivor. */
    readonly unmerge: (id: ContactMergeId, now: DateTime.Utc) => Effect.Effect<void, NotFound, Transaction>
    /** Replaces the snapshot of the survivor before this merge, after an earlier merge into it was undone. */
    readonly rebase: (id: ContactMergeId, before: Contact) => Effect.Effect<void, never, Transaction>
    /** Deletes the complete history of the contact. */
    readonly erase: (contactId: ContactId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/crm/ContactHistory") {}

/** Returns merges into the contact, and recursively merges into the merged contacts; at most `limit` of each. */
export const findMergesInto = (
  id: ContactId,
  limit: number
): Effect.Effect<ReadonlyArray<ContactMerge>, never, ContactHistory | Tenancy> =>
  Effect.gen(function* () {
    const merges = yield* (yield* ContactHistory).mergesInto(id, limit)
    const further = yield* Effect.forEach(merges, ({ merged }) => findMergesInto(merged.id, limit))
    return [...merges, ...further.flat()]
  })

/** Resolves the contact that this one is now part of, across all active merges; `null` without any. */
export const currentContactId = Effect.fnUntraced(function* (id: ContactId) {
  const history = yield* ContactHistory
  let whole: ContactId | null = null
  for (let next = yield* history.survivorOf(id); next !== null; next = yield* history.survivorOf(next.id)) {
    whole = next.id
  }
  return whole
})

const newestFirst = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, ({ at }: TimelineEntryShape) => at),
    Order.mapInput(Order.String, ({ id }: TimelineEntryShape) => id)
  )
)

const loadTimelineEntries = <H extends AnyContactDataOwner>(holding: H, id: ContactId, slice: Slice) =>
  holding.timeline(id, slice) as Effect.Effect<
    ReadonlyArray<TimelineEntryOf<H>>,
    never,
    ContactDataServices<H> | Tenancy
  >

/** Loads the contact's timeline: its own history and the entries of all readable contact data owners, newest first. */
export const loadContactTimeline = Effect.fnUntraced(function* <H extends AnyContactDataOwner>(
  holdings: ReadonlyArray<H>,
  id: ContactId,
  slice: Slice
) {
  const history: ReadonlyArray<HistoryEntry> = yield* (yield* ContactHistory).timeline(id, slice)
  const readable = yield* readableDataOwners(holdings)
  if (readable.length === 0) return history
  const held = yield* Effect.forEach(readable, (holding) => loadTimelineEntries(holding, id, slice))
  return [...history, ...held.flat()].toSorted(newestFirst).slice(0, slice.limit)
})
