import { Context, type DateTime, Effect, Schema } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../crm/index.ts"
import { shownWith, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import { Broadcasts } from "./Broadcasts.ts"
import { BroadcastId, RecipientId } from "./Ids.ts"
import { BroadcastRecipient } from "./RecipientList.ts"
import { RecipientReservations } from "./RecipientReservations.ts"
import { RecipientStatus } from "./RecipientStatus.ts"
import { scheduleBroadcastLane } from "./broadcastChanges.ts"

const nullableTimestamp = Schema.NullOr(Timestamp)

/** A broadcast that a contact got. `id` is the broadcast's id; the recipient's id is the message id in a conversation. */
export const RecipientEntry = Schema.Struct({
  kind: Schema.Literal("broadcast"),
  id: BroadcastId,
  at: Timestamp.annotateKey({ description: "Time when the provider accepted it." }),
  broadcastId: BroadcastId,
  recipientId: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  name: Schema.String.annotateKey({ description: "The broadcast's name." }),
  status: RecipientStatus,
  repliedAt: nullableTimestamp,
  optedOutAt: nullableTimestamp
}).annotate({ identifier: "RecipientEntry" })
export type RecipientEntry = typeof RecipientEntry.Type

const { contactId: _contactId, name: _name, ...fields } = BroadcastRecipient.fields

/** Place of a contact on the list of a broadcast, with the values sent. */
export const ContactRecipient = Schema.Struct({
  ...fields,
  broadcastId: BroadcastId,
  broadcastName: Schema.String,
  values: Schema.NullOr(Schema.Record(Schema.String, Schema.String))
    .annotateKey({ description: "Values of the template's variables." })
    .pipe(shownWith("contacts.read"))
}).annotate({ identifier: "ContactRecipient" })
export type ContactRecipient = typeof ContactRecipient.Type

/** Export of the broadcasts that list a contact. */
export const recipientExportFields = { broadcasts: Schema.Array(ContactRecipient) }

/** A broadcast and the number of its changed recipients. */
export interface RecipientCountChange {
  readonly broadcastId: BroadcastId
  readonly count: number
}

/** Recipient data of contacts in broadcasts, with merge, unmerge and erasure. */
export class ContactRecipients extends Context.Service<
  ContactRecipients,
  TenantScoped<{
    /** Lists the broadcasts that a contact got, newest first by `at`. The key of a row is its `at`, as encoded, and its id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<RecipientEntry>>
    /** Lists at most `limit` places of the contact, with any outcome, newest broadcasts first. */
    readonly list: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<ContactRecipient>>
    /**
     * Transfers the recipients and snapshot places of one contact to another. In a sending or paused broadcast, the contact gets at most one message.
     * Among duplicates, pending recipients yield to called or held-out ones, else to the contact's own place. They are excluded as `duplicate`.
     * Returns the number of these per broadcast.
     */
    readonly handOver: (move: MergeStep) => Effect.Effect<ReadonlyArray<RecipientCountChange>, never, Transaction>
    /**
     * Returns the transferred recipients to the original contact. In sending and paused broadcasts, a recipient that yielded to a returned one is
     * pending again. Returns the number of these per broadcast.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<RecipientCountChange>, never, Transaction>
    /**
     * Makes the recipients of these contacts due that wait for quiet hours, a window or a local time in sending and paused broadcasts. Each is then
     * decided again. Returns the accounts of these broadcasts.
     */
    readonly recall: (
      contactIds: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ChatAccountId>, never, Transaction>
    /** Removes addresses and values of these contacts from all broadcasts and snapshots. The recipients stay counted. */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/ContactRecipients") {}

/** Counts recipients that are pending again for the plan, and notifies the sender of the broadcast. */
const resumePending = Effect.fnUntraced(function* ({ broadcastId, count }: RecipientCountChange) {
  yield* (yield* RecipientReservations).takeBack(broadcastId, count)
  const { chatAccountId } = yield* Effect.orDie((yield* Broadcasts).get(broadcastId))
  if (chatAccountId !== null) yield* scheduleBroadcastLane(chatAccountId)
})

/** Contact data of broadcasts: sent and planned messages, addresses and values. */
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
