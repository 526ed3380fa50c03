import { Context, DateTime, Effect, Schema } from "effect"
import { ContactId, Contacts } from "../crm/index.ts"
import { NotFound, shownWith, type Slice, type TenantScoped, Timestamp } from "../kernel/index.ts"
import { type ChargeTally, ConversationId, MessageError } from "../messaging/inbox/index.ts"
import { type Broadcast, VariantKey } from "./Broadcast.ts"
import { type BroadcastId, RecipientId } from "./Ids.ts"
import { ExclusionReason, RecipientStatus } from "./RecipientStatus.ts"
import { RecipientsExpired } from "./errors.ts"

const nullableTimestamp = Schema.NullOr(Timestamp)

/** A contact of a broadcast's audience and its result. */
export const BroadcastRecipient = Schema.Struct({
  id: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  contactId: ContactId,
  name: Schema.NullOr(Schema.String)
    .annotateKey({ description: "The contact's current name." })
    .pipe(shownWith("contacts.read")),
  address: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
  variant: Schema.NullOr(VariantKey),
  status: RecipientStatus,
  reason: Schema.NullOr(ExclusionReason).annotateKey({ description: "Reason for the exclusion." }),
  error: Schema.NullOr(MessageError),
  attempts: Schema.Int,
  dueAt: nullableTimestamp
    .annotateKey({ description: "When it is sent or tried again, if it waits. It shows the time zone of the contact." })
    .pipe(shownWith("contacts.read")),
  sentAt: nullableTimestamp,
  deliveredAt: nullableTimestamp,
  readAt: nullableTimestamp,
  failedAt: nullableTimestamp,
  repliedAt: nullableTimestamp,
  optedOutAt: nullableTimestamp,
  conversationId: Schema.NullOr(ConversationId)
}).annotate({ identifier: "BroadcastRecipient" })
export type BroadcastRecipient = typeof BroadcastRecipient.Type

/** Filters of a recipient list; `null` matches all. */
export interface RecipientQuery {
  readonly status: RecipientStatus | null
  readonly reason: ExclusionReason | null
  readonly variant: VariantKey | null
  readonly replied: boolean | null
  readonly contactId: ContactId | null
}

/** A recipient, and its place on the list. */
export interface PlacedRecipient extends Omit<BroadcastRecipient, "name"> {
  readonly seq: number
}

/** Number of recipients with the same variant, status, reason and code. */
export interface RecipientTally {
  readonly variant: VariantKey | null
  readonly status: RecipientStatus
  readonly reason: ExclusionReason | null
  /** Error code of failed recipients. */
  readonly code: string | null
  readonly count: number
  readonly replied: number
  readonly optedOut: number
}

/** Number of charged messages of one variant with equal facts. */
export interface VariantChargeTally extends Omit<ChargeTally, "range"> {
  readonly variant: VariantKey | null
}

/** Recipients of the organization's broadcasts, for reading. */
export class RecipientList extends Context.Service<
  RecipientList,
  TenantScoped<{
    /**
     * Lists recipients in list order; the key of a row is its place. A slow read can end before the slice is full and returns the place to continue
     * from.
     */
    readonly list: (
      id: BroadcastId,
      query: RecipientQuery,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<PlacedRecipient>; readonly resume: ReadonlyArray<string> | null }>
    /** Counts all recipients. */
    readonly tally: (id: BroadcastId) => Effect.Effect<ReadonlyArray<RecipientTally>>
    /** Counts the charged messages of the recipients by variant. In no order. */
    readonly tallyCharges: (id: BroadcastId) => Effect.Effect<ReadonlyArray<VariantChargeTally>>
  }>
>()("@parley/domain/campaigns/RecipientList") {}

/** Adds the current names of the contacts. */
export const withContactNames = Effect.fnUntraced(function* (recipients: ReadonlyArray<PlacedRecipient>) {
  const names = yield* (yield* Contacts).names(recipients.map(({ contactId }) => contactId))
  return recipients.map(({ seq: _seq, ...recipient }): BroadcastRecipient => {
    return { ...recipient, name: names.get(recipient.contactId) ?? null }
  })
})

/** Requested filters; an absent field matches all. */
export type RecipientFilters = {
  readonly [Name in keyof RecipientQuery]?: Exclude<RecipientQuery[Name], null>
}

/** Converts requested filters to a storage query. */
export const toRecipientQuery = (asked: RecipientFilters): RecipientQuery => ({
  status: asked.status ?? null,
  reason: asked.reason ?? null,
  variant: asked.variant ?? null,
  replied: asked.replied ?? null,
  contactId: asked.contactId ?? null
})

/** Returns the end of the recipients' retention; `null` while they are retained. */
export const findRecipientExpiry = Effect.fnUntraced(function* ({
  recipientsKeptUntil: until
}: Pick<Broadcast, "recipientsKeptUntil">) {
  return until !== null && DateTime.isLessThanOrEqualTo(until, yield* DateTime.now) ? until : null
})

/** Fails if the recipients of the broadcast are deleted. */
export const requireRecipients = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const expiredAt = yield* findRecipientExpiry(broadcast)
  if (expiredAt !== null) return yield* new RecipientsExpired({ expiredAt })
})

/** Fails if the contact does not exist, because a typo would return an empty list. */
export const requireContact = Effect.fnUntraced(function* ({ contactId }: RecipientQuery) {
  if (contactId === null) return
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})
