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
import { type ConsentChange, ConsentPurpose, ConsentState } from "./Consent.ts"
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

/** Two contacts that were made one, with all that is needed to part them again. */
export class ContactMerge extends Schema.Class<ContactMerge>("ContactMerge")(
  {
    id: ContactMergeId,
    survivorId: ContactId,
    /** The survivor before the merge. */
    before: Contact,
    /** The other contact, which is hidden while the merge exists. */
    merged: Contact,
    actor: ActorRef,
    at: Timestamp,
    undoneAt: Schema.NullOr(Timestamp)
  },
  objectShownWith("contacts.read")
) {}

/** What a merge answers: the contact that is left, and the merge by which it can be parted again. */
export const ContactMergeResult = Schema.Struct({ contact: Contact, mergeId: ContactMergeId }).annotate({
  identifier: "Merged"
})
export type ContactMergeResult = typeof ContactMergeResult.Type

/** What an unmerge answers: both contacts. */
export const ContactUnmergeResult = Schema.Struct({ contact: Contact, restored: Contact }).annotate({
  identifier: "Unmerged"
})
export type ContactUnmergeResult = typeof ContactUnmergeResult.Type

/** The most that is read of each kind of a contact's history at once. */
export const maxExportedEntries = 10_000

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

/** The merges into the contact, and recursively those into the contacts that were merged; at most `limit` of each. */
export const findMergesInto = (
  id: ContactId,
  limit: number
): Effect.Effect<ReadonlyArray<ContactMerge>, never, ContactHistory | Tenancy> =>
  Effect.gen(function* () {
    const merges = yield* (yield* ContactHistory).mergesInto(id, limit)
    const further = yield* Effect.forEach(merges, ({ merged }) => findMergesInto(merged.id, limit))
    return [...merges, ...further.flat()]
  })

/** Whom a contact is a part of now, by however many merges that stand; `null` if by none. */
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

/** The contact's timeline: its own history merged with the entries of all holdings the actor may read, newest first. */
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
