import { Context, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { VariantKey } from "./Broadcast.ts"
import type { BroadcastId } from "./Ids.ts"

/** How often a button of a broadcast's message was tapped. */
export interface ButtonTally {
  readonly variant: VariantKey | null
  /** What it says. */
  readonly button: string
  readonly count: number
}

/** Which buttons of the organization's broadcasts were tapped. */
export class ButtonTaps extends Context.Service<
  ButtonTaps,
  TenantScoped<{
    /** Adds these to what is counted. */
    readonly add: (
      taps: ReadonlyArray<ButtonTally & { readonly broadcastId: BroadcastId }>
    ) => Effect.Effect<void, never, Transaction>
    /** All of a broadcast, in no order. */
    readonly tally: (id: BroadcastId) => Effect.Effect<ReadonlyArray<ButtonTally>>
  }>
>()("@parley/domain/campaigns/ButtonTaps") {}
