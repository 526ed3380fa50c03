import { Context, DateTime, Effect, Schema } from "effect"
import { ContactId, Contacts } from "../crm/index.ts"
import { NotFound, shownWith, type Slice, type TenantScoped, Timestamp } from "../kernel/index.ts"
import { ConversationId, MessageError } from "../messaging/inbox/index.ts"
import { type Broadcast, VariantKey } from "./Broadcast.ts"
import { type BroadcastId, RecipientId } from "./Ids.ts"
import { ExclusionReason, RecipientStatus } from "./RecipientStatus.ts"
import { RecipientsExpired } from "./errors.ts"

const nullableTimestamp = Schema.NullOr(Timestamp)

/** A contact of a broadcast's audience, and what came of it. */
export const BroadcastRecipient = Schema.Struct({
  id: RecipientId.annotateKey({ description: "Also the id of the message in a conversation." }),
  contactId: ContactId,
  name: Schema.NullOr(Schema.String)
    .annotateKey({ description: "The contact's current name." })
    .pipe(shownWith("contacts.read")),
  address: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
  variant: Schema.NullOr(VariantKey),
  status: RecipientStatus,
  reason: Schema.NullOr(ExclusionReason).annotateKey({ description: "Why it is excluded." }),
  error: Schema.NullOr(MessageError),
  attempts: Schema.Int,
  dueAt: nullableTimestamp,
  sentAt: nullableTimestamp,
  deliveredAt: nullableTimestamp,
  readAt: nullableTimestamp,
  failedAt: nullableTimestamp,
  repliedAt: nullableTimestamp,
  optedOutAt: nullableTimestamp,
  conversationId: Schema.NullOr(ConversationId)
}).annotate({ identifier: "BroadcastRecipient" })
export type BroadcastRecipient = typeof BroadcastRecipient.Type

/** Which recipients to list; `null` is any. */
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

/** How many recipients have all of this in common. */
export interface RecipientTally {
  readonly variant: VariantKey | null
  readonly status: RecipientStatus
  readonly reason: ExclusionReason | null
  /** The code of the error of those that failed. */
  readonly code: string | null
  readonly count: number
  readonly replied: number
  readonly optedOut: number
}

/** Who is on the lists of the organization's broadcasts, to be read. */
export class RecipientList extends Context.Service<
  RecipientList,
  TenantScoped<{
    /**
     * In the order of the list; the key of a row is its place. It may stop before the slice is full where looking on would take too
     * long, with where to look on.
     */
    readonly list: (
      id: BroadcastId,
      query: RecipientQuery,
      slice: Slice
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<PlacedRecipient>; readonly resume: ReadonlyArray<string> | null }>
    /** All of them, counted. */
    readonly tally: (id: BroadcastId) => Effect.Effect<ReadonlyArray<RecipientTally>>
  }>
>()("@parley/domain/campaigns/RecipientList") {}

/** Recipients with the names that their contacts have now. */
export const withContactNames = Effect.fnUntraced(function* (recipients: ReadonlyArray<PlacedRecipient>) {
  const names = yield* (yield* Contacts).names(recipients.map(({ contactId }) => contactId))
  return recipients.map(({ seq: _seq, ...recipient }): BroadcastRecipient => {
    return { ...recipient, name: names.get(recipient.contactId) ?? null }
  })
})

/** Which recipients are asked for; what is absent is any. */
export type RecipientFilters = {
  readonly [Name in keyof RecipientQuery]?: Exclude<RecipientQuery[Name], null>
}

/** The same as storage is asked for it. */
export const toRecipientQuery = (asked: RecipientFilters): RecipientQuery => ({
  status: asked.status ?? null,
  reason: asked.reason ?? null,
  variant: asked.variant ?? null,
  replied: asked.replied ?? null,
  contactId: asked.contactId ?? null
})

/** When the recipients of the broadcast went, or were to go; `null` while they are kept. */
export const findRecipientExpiry = Effect.fnUntraced(function* ({
  recipientsKeptUntil: until
}: Pick<Broadcast, "recipientsKeptUntil">) {
  return until !== null && DateTime.isLessThanOrEqualTo(until, yield* DateTime.now) ? until : null
})

/** Refuses a broadcast whose recipients are not kept any more. */
export const requireRecipients = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const expiredAt = yield* findRecipientExpiry(broadcast)
  if (expiredAt !== null) return yield* new RecipientsExpired({ expiredAt })
})

/** Refuses to look for a contact that is not there, so that a slip is no empty list. */
export const requireContact = Effect.fnUntraced(function* ({ contactId }: RecipientQuery) {
  if (contactId === null) return
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})
