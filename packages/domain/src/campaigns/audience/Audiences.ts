import { Context, type DateTime, type Duration, type Effect, Schema } from "effect"
import type { Contact, ContactId, Filter } from "../../crm/index.ts"
import { type NotFound, type TenantScoped, Timestamp, type Transaction } from "../../kernel/index.ts"
import type { Recipient, TemplateCategory } from "../../messaging/chat/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import { AudienceSnapshotId, type BroadcastId } from "../Ids.ts"
import type { ExclusionReason } from "../RecipientStatus.ts"

/** Contact fields that determine the due time. */
export type ContactClock = Pick<Contact, "phone" | "timezone">

/** Maximum messages of earlier broadcasts per contact within a number of days. */
export interface PlannedCap {
  readonly max: number
  readonly days: number
  /** Broadcasts whose messages count. */
  readonly of: ReadonlyArray<BroadcastId>
  /** Whether marketing from automations and workflows counts too. */
  readonly automated: boolean
}

/** A variant and a filter for contacts that lack its values. */
export interface PlannedVariant {
  readonly key: VariantKey
  /** Percent. */
  readonly weight: number
  readonly lacking: Filter
}

/** Due times of contacts: all at the start (`null`), or each in contact time. */
export interface PlannedTimes {
  readonly dueAt: (contact: ContactClock) => DateTime.Utc
  /** Whether a contact with this due time missed the start and gets nothing. */
  readonly skips: (due: DateTime.Utc) => boolean
}

/** Inputs that determine the recipients of a broadcast and their messages. */
export interface AudiencePlan {
  /** Broadcast whose own recipients do not count for caps; `null` for an unstored one. */
  readonly broadcastId: BroadcastId | null
  readonly audience: Filter
  readonly exclude: Filter
  /** Identity kinds that the account can send to. */
  readonly reaches: ReadonlyArray<Recipient["kind"]>
  readonly isMarketing: boolean
  /** Contacts that lack values of the message. With variants, `variants` separates contacts that lack them for only some variants. */
  readonly lacking: Filter
  /** Empty without variants. */
  readonly variants: ReadonlyArray<PlannedVariant>
  /** Retried broadcast, whose recipients keep their variants; `null` without a retry. */
  readonly keepsVariantsOf: BroadcastId | null
  readonly caps: ReadonlyArray<PlannedCap>
  readonly splitKey: string
  /** Percent. */
  readonly holdOut: number
  readonly startsAt: DateTime.Utc
  readonly times: PlannedTimes | null
}

/** Contacts of an audience, and the number of excluded ones by the first reason that applies. */
export interface AudienceCount {
  readonly matched: number
  readonly excluded: Readonly<Partial<Record<ExclusionReason, number>>>
}

/** A contact that would get the broadcast. */
export interface SampledContact {
  readonly contact: Contact
  readonly address: Recipient
  readonly variant: VariantKey | null
}

/** Outcome for one contact of an audience. */
export type PlannedOutcome =
  | { readonly kind: "not_matched" }
  | { readonly kind: "excluded"; readonly reason: ExclusionReason }
  | { readonly kind: "held_out" }
  | { readonly kind: "sent"; readonly address: Recipient; readonly variant: VariantKey | null }

/** An earlier broadcast whose messages can count for caps. */
export interface EarlierBroadcast {
  readonly id: BroadcastId
  /** `marketing` if any of its messages is marketing. */
  readonly category: Exclude<TemplateCategory, "authentication">
}

/** A stored list of recipients from a preview. */
export const AudienceSnapshot = Schema.Struct({
  id: AudienceSnapshotId,
  /** Fields of the broadcast that the list was created from. */
  madeFrom: Schema.Record(Schema.String, Schema.Json),
  matched: Schema.Int,
  createdAt: Timestamp,
  /** `null` after a broadcast is scheduled with it. */
  expiresAt: Schema.NullOr(Timestamp)
})
export type AudienceSnapshot = typeof AudienceSnapshot.Type

/** Result of one freeze step. */
export interface FrozenSlice {
  /** Recipients added to the list. */
  readonly listed: number
  /** Added recipients that get the message. */
  readonly toSend: number
  /** Whether the list contains the whole audience. */
  readonly done: boolean
}

/** Bounds of one freeze step. */
export interface SliceBounds {
  /** Maximum number of contacts. */
  readonly limit: number
  /** Remaining recipients of the broadcast within the plan; `null` without a limit. */
  readonly room: number | null
  /** Snapshot to read instead of the current audience. */
  readonly snapshotId: AudienceSnapshotId | null
}

/** Audiences of the organization's broadcasts: counts, snapshots and freezing. */
export class Audiences extends Context.Service<
  Audiences,
  TenantScoped<{
    /** Returns the started broadcasts that had not ended before this time. */
    readonly earlier: (since: DateTime.Utc) => Effect.Effect<ReadonlyArray<EarlierBroadcast>>
    readonly count: (plan: AudiencePlan) => Effect.Effect<AudienceCount>
    /** Counts the audience and its recipients exactly. A snapshot has the counts of its creation. */
    readonly size: (
      plan: AudiencePlan,
      snapshotId: AudienceSnapshotId | null
    ) => Effect.Effect<{ readonly matched: number; readonly toSend: number }>
    /** Counts the recipients, with the rules of `size`, grouped by the fields that determine their due times. */
    readonly clocks: (
      plan: AudiencePlan,
      snapshotId: AudienceSnapshotId | null
    ) => Effect.Effect<ReadonlyArray<{ readonly of: ContactClock; readonly count: number }>>
    /**
     * Counts the recipients, with the rules of `size`, grouped by the first digits of their numbers, which decide the country. Each group has one of its
     * numbers; `null` for contacts without a number.
     */
    readonly numbers: (
      plan: AudiencePlan,
      snapshotId: AudienceSnapshotId | null
    ) => Effect.Effect<ReadonlyArray<{ readonly phone: string | null; readonly count: number }>>
    /** Returns up to `limit` recipients or held-out contacts, in the order of their ids. */
    readonly sample: (plan: AudiencePlan, limit: number) => Effect.Effect<ReadonlyArray<SampledContact>>
    /** Returns the outcome for this contact. */
    readonly outcomeOf: (plan: AudiencePlan, id: ContactId) => Effect.Effect<PlannedOutcome>
    /** Stores the audience as a snapshot, with the address or exclusion reason of each contact. Returns their number. */
    readonly keep: (
      snapshot: Omit<AudienceSnapshot, "matched">,
      plan: AudiencePlan
    ) => Effect.Effect<AudienceSnapshot, never, Transaction>
    /** Returns a snapshot and protects it from release until the unit of work ends. */
    readonly kept: (id: AudienceSnapshotId) => Effect.Effect<AudienceSnapshot, NotFound, Transaction>
    /** Sets the expiry of a snapshot; `null` for the lifetime of its broadcast. */
    readonly keepUntil: (id: AudienceSnapshotId, at: DateTime.Utc | null) => Effect.Effect<void, never, Transaction>
    /** Expires up to `limit` snapshots without a scheduled or active broadcast, this long after their creation. Returns their number. */
    readonly release: (keptFor: Duration.Duration, limit: number) => Effect.Effect<number, never, Transaction>
    /** Deletes at most `limit` rows of expired snapshots and returns their number. */
    readonly forget: (now: DateTime.Utc, limit: number) => Effect.Effect<number, never, Transaction>
    /**
     * Adds the next contacts of the audience to the list of a broadcast, with address, variant and due time, and counts them. Continues after the
     * last committed slice. Freezes nothing unless the broadcast is sending. Until the unit of work ends, no process can pause or end the broadcast.
     */
    readonly freeze: (
      id: BroadcastId,
      plan: AudiencePlan,
      bounds: SliceBounds
    ) => Effect.Effect<FrozenSlice, never, Transaction>
  }>
>()("@parley/domain/campaigns/Audiences") {}
