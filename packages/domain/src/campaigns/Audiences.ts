import { Context, type DateTime, type Duration, type Effect, Schema } from "effect"
import { type Recipient, type TemplateCategory } from "../messaging/chat/index.ts"
import type { Contact, ContactId } from "../crm/index.ts"
import { type NotFound, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import type { AudiencePlan, Clocked } from "./audience/AudiencePlan.ts"
import type { VariantKey } from "./Broadcast.ts"
import { AudienceSnapshotId, type BroadcastId } from "./Ids.ts"
import type { ExclusionReason } from "./RecipientStatus.ts"

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
    ) => Effect.Effect<ReadonlyArray<{ readonly of: Clocked; readonly count: number }>>
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
