import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../crm/index.ts"
import { shownWith, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { BroadcastId, RecipientId } from "./Ids.ts"
import { BroadcastRecipient } from "./RecipientList.ts"
import { RecipientReservations } from "./RecipientReservations.ts"
import { RecipientStatus } from "./RecipientStatus.ts"
import { scheduleBroadcastLane } from "./broadcastChanges.ts"

const nullableTimestamp = Schema.NullOr(Timestamp)

/** A broadcast that a contact has got. Its id is the broadcast's: the recipient's is that of the message in a conversation. */
export const RecipientEntry = Schema.Struct({
  kind: Schema.Literal("broadcast"),
  id: BroadcastId,
  at: Timestamp.annotateKey({ description: "When the provider accepted it." }),
  broadcastId: BroadcastId,
  recipientId: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  name: Schema.String.annotateKey({ description: "The broadcast's name." }),
  status: RecipientStatus,
  repliedAt: nullableTimestamp,
  optedOutAt: nullableTimestamp
}).annotate({ identifier: "RecipientEntry" })
export type RecipientEntry = typeof RecipientEntry.Type

const { contactId: _contactId, name: _name, ...fields } = BroadcastRecipient.fields

/** A place of the person on the list of a broadcast, with what they were sent. */
export const ContactRecipient = Schema.Struct({
  ...fields,
  broadcastId: BroadcastId,
  broadcastName: Schema.String,
  values: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
    .annotateKey({ description: "Values of the template's variables." })
    .pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ContactRecipient" })
export type ContactRecipient = typeof ContactRecipient.Type

/** The export of the broadcasts that a person was to get. */
export const recipientExportFields = { broadcasts: Schema.Array(ContactRecipient) }

/** A broadcast, and how many of its recipients have changed. */
export interface RecipientCountChange {
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
    readonly handOver: (move: MergeStep) => Effect.Effect<ReadonlyArray<RecipientCountChange>, never, Transaction>
    /**
     * Hands what a merge had handed over back to the contact it came from. Of broadcasts that are sending or paused, whoever had given way to
     * what is somebody else's again is pending from then on; says how many, of each broadcast.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<RecipientCountChange>, never, Transaction>
    /** Removes addresses and values of these contacts from all broadcasts, and from lists that were kept. They stay counted. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ContactRecipients") {}

/** Whoever is pending again counts for the plan again, and the sender of its broadcast is told. */
const resumePending = Effect.fnUntraced(function* ({ broadcastId, count }: RecipientCountChange) {
  yield* (yield* RecipientReservations).takeBack(broadcastId, count)
  const { chatAccountId } = yield* Effect.orDie((yield* Broadcasts).get(broadcastId))
  if (chatAccountId !== null) yield* scheduleBroadcastLane(chatAccountId)
})

/** What broadcasts hold of contacts: what they were sent and are to be sent, where to, and with which values. */
export const recipientData = {
  permission: "broadcasts.read" as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    return yield* (yield* ContactRecipients).timeline(contactId, slice)
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { broadcasts: yield* (yield* ContactRecipients).list(contactId, limit) }
  }),
  nothing: { broadcasts: [] },
  move: Effect.fnUntraced(function* (move: MergeStep) {
    const reservations = yield* RecipientReservations
    const excluded = yield* (yield* ContactRecipients).handOver(move)
    yield* Effect.forEach(excluded, ({ broadcastId, count }) => reservations.giveBack(broadcastId, count), {
      discard: true
    })
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge, now: DateTime.Utc) {
    const pending = yield* (yield* ContactRecipients).handBack(undone, now)
    yield* Effect.forEach(pending, resumePending, { discard: true })
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* (yield* ContactRecipients).forget(contactIds)
  })
}
