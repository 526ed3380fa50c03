import { Context, type Effect } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { Slice, TenantScoped } from "../kernel/index.ts"
import type { VariantKey } from "./Broadcast.ts"
import type { BroadcastRecipient } from "./BroadcastRecipient.ts"
import type { BroadcastId } from "./Ids.ts"
import type { ExclusionReason, RecipientStatus } from "./RecipientStatus.ts"

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
