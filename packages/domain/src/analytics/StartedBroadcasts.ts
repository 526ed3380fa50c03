import { Context, type DateTime, type Effect } from "effect"
import type { Slice, TenantScoped } from "../kernel/index.ts"
import type { BroadcastRow } from "./answers/BroadcastFigures.ts"

/** A broadcast that has started, and what has become of its recipients by now. */
export type StartedBroadcast = Omit<
  BroadcastRow,
  "deliveredRate" | "readRate" | "repliedRate" | "attributedOrders" | "attributed"
>

/** The broadcasts that have ever started, with what has come of them. */
export class StartedBroadcasts extends Context.Service<
  StartedBroadcasts,
  TenantScoped<{
    /** Those that started in a range, its end not among it: newest first; the key of a row is when it started, in milliseconds, and its id. */
    readonly list: (
      from: DateTime.Utc,
      to: DateTime.Utc,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StartedBroadcast>>
  }>
>()("@parley/domain/analytics/StartedBroadcasts") {}
