import { Context, type DateTime, type Duration, type Effect, Schema } from "effect"
import type { Contact, ContactId, Filter } from "../../crm/index.ts"
import { type NotFound, type TenantScoped, Timestamp, type Transaction } from "../../kernel/index.ts"
import type { Recipient, TemplateCategory } from "../../messaging/chat/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import { AudienceSnapshotId, type BroadcastId } from "../Ids.ts"
import type { ExclusionReason } from "../RecipientStatus.ts"

/** What of a contact says when it is due. */
export type ContactClock = Pick<Contact, "phone" | "timezone">

/** How many messages of earlier broadcasts one contact gets in so many days at most. */
export interface PlannedCap {
  readonly max: number
  readonly days: number
  /** The broadcasts whose messages count. */
  readonly of: ReadonlyArray<BroadcastId>
  /** Whether marketing that automations and workflows have sent counts, too. */
  readonly automated: boolean
}

/** One of several messages, and who lacks what it is made of. */
export interface PlannedVariant {
  readonly key: VariantKey
  /** In percent. */
  readonly weight: number
  readonly lacking: Filter
}

/** When contacts are due: all at once (`null`), or each by its own clock. */
export interface PlannedTimes {
  readonly dueAt: (contact: ContactClock) => DateTime.Utc
  /** Whether a contact gets nothing whose time was over at the start. */
  readonly skips: (due: DateTime.Utc) => boolean
}

/** Everything that decides who of an audience gets a broadcast, and what. */
export interface AudiencePlan {
  /** The broadcast, whose own recipients count for no cap; `null` where there is none yet. */
  readonly broadcastId: BroadcastId | null
  readonly audience: Filter
  readonly exclude: Filter
  /** What people are reached by over the account. */
  readonly reaches: ReadonlyArray<Recipient["kind"]>
  readonly isMarketing: boolean
  /** Who lacks what the message is made of; where there are variants, whoever lacks it for any of them is told apart by `variants`. */
  readonly lacking: Filter
  /** Empty where there is one message for all. */
  readonly variants: ReadonlyArray<PlannedVariant>
  /** The broadcast that is tried again: whoever was drawn a variant by it keeps it. `null` where none is. */
  readonly keepsVariantsOf: BroadcastId | null
  readonly caps: ReadonlyArray<PlannedCap>
  readonly splitKey: string
  /** In percent. */
  readonly holdOut: number
  readonly startsAt: DateTime.Utc
  readonly times: PlannedTimes | null
}

/** How many contacts an audience has, and how many of them get nothing, each by the first reason that holds. */
export interface AudienceCount {
  readonly matched: number
  readonly excluded: Readonly<Partial<Record<ExclusionReason, number>>>
}

/** Somebody who would get the broadcast. */
export interface SampledContact {
  readonly contact: Contact
  readonly address: Recipient
  readonly variant: VariantKey | null
}

/** What becomes of one contact of an audience. */
export type PlannedOutcome =
  | { readonly kind: "not_matched" }
  | { readonly kind: "excluded"; readonly reason: ExclusionReason }
  | { readonly kind: "held_out" }
  | { readonly kind: "sent"; readonly address: Recipient; readonly variant: VariantKey | null }

/** An earlier broadcast of which messages may count for caps. */
export interface EarlierBroadcast {
  readonly id: BroadcastId
  /** `marketing` where any of its messages is. */
  readonly category: Exclude<TemplateCategory, "authentication">
}

/** A list of recipients that was kept when it was previewed. */
export const AudienceSnapshot = Schema.Struct({
  id: AudienceSnapshotId,
  /** What of the broadcast the list was made from. */
  madeFrom: Schema.Record(Schema.String, Schema.Json),
  matched: Schema.Int,
  createdAt: Timestamp,
  /** `null` once a broadcast is scheduled with it. */
  expiresAt: Schema.NullOr(Timestamp)
})
export type AudienceSnapshot = typeof AudienceSnapshot.Type

/** How much of an audience is frozen by one step. */
export interface FrozenSlice {
  /** How many were put on the list. */
  readonly listed: number
  /** How many of them are to get the message. */
  readonly toSend: number
  /** Whether everybody is on the list. */
  readonly done: boolean
}

/** How a slice of an audience is frozen. */
export interface SliceBounds {
  /** How many contacts at the most. */
  readonly limit: number
  /** How many more the broadcast may send to by the plan; `null` where nothing limits it. */
  readonly room: number | null
  /** Read the list from here, instead of asking who is in the audience now. */
  readonly snapshotId: AudienceSnapshotId | null
}

/** Whom the organization's broadcasts go to: counted before, kept, and frozen when they start. */
export class Audiences extends Context.Service<
  Audiences,
  TenantScoped<{
    /** The broadcasts that have started and had not ended before then. */
    readonly earlier: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<EarlierBroadcast>>
    readonly count: (plan: AudiencePlan) => Effect.Effect<AudienceCount>
    /** How many the audience has and how many of them would get the broadcast, exactly; of a list that was kept, as it was then. */
    readonly size: (
      plan: AudiencePlan,
      snapshotId: AudienceSnapshotId | null
    ) => Effect.Effect<{ readonly matched: number; readonly toSend: number }>
    /** Those who would get the broadcast, as `size` counts them, by their clocks: how many they are, with what says that of one of them. */
    readonly clocks: (
      plan: AudiencePlan,
      snapshotId: AudienceSnapshotId | null
    ) => Effect.Effect<ReadonlyArray<{ readonly of: ContactClock; readonly count: number }>>
    /** Up to `limit` of those who would get the broadcast or be held out, in the order of their ids. */
    readonly sample: (plan: AudiencePlan, limit: number) => Effect.Effect<ReadonlyArray<SampledContact>>
    /** What would become of this contact. */
    readonly outcomeOf: (plan: AudiencePlan, id: ContactId) => Effect.Effect<PlannedOutcome>
    /** Keeps who is in the audience, with the address of each or why it gets nothing; says how many that are. */
    readonly keep: (
      snapshot: Omit<AudienceSnapshot, "matched">,
      plan: AudiencePlan
    ) => Effect.Effect<AudienceSnapshot, never, Transaction>
    /** A list that was kept. Nobody lets go of it until the unit of work ends. */
    readonly kept: (id: AudienceSnapshotId) => Effect.Effect<AudienceSnapshot, NotFound, Transaction>
    /** Keeps a snapshot until then; `null` is as long as there is its broadcast. */
    readonly keepUntil: (id: AudienceSnapshotId, at: DateTime.Utc | null) => Effect.Effect<void, never, Transaction>
    /**
     * Has up to `limit` snapshots expire that were kept for broadcasts of which none is scheduled or on its way any more: so long after
     * they were made. Says how many.
     */
    readonly release: (keptFor: Duration.Duration, limit: number) => Effect.Effect<number, never, Transaction>
    /** Deletes snapshots that have expired, at most `limit` rows of them; says how many. */
    readonly forget: (now: DateTime.Utc, limit: number) => Effect.Effect<number, never, Transaction>
    /**
     * Puts the next contacts of the audience on the list of a broadcast, with the address, the variant and the time of each, and counts
     * them: it goes on where the last slice ended that was committed. Of a broadcast that is not sending nothing is frozen. Until the unit of
     * work ends, nobody pauses or ends the broadcast.
     */
    readonly freeze: (
      id: BroadcastId,
      plan: AudiencePlan,
      bounds: SliceBounds
    ) => Effect.Effect<FrozenSlice, never, Transaction>
  }>
>()("@parley/domain/campaigns/Audiences") {}
