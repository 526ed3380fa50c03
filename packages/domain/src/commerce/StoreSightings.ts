import { Context, type DateTime, type Effect } from "effect"
import type { JobId } from "../platform/jobs/index.ts"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { MarkedKind } from "./StoreSignal.ts"

/** Which records a sync looks for. */
export interface Sought {
  /** The sync: what another one has seen does not count. */
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: MarkedKind
}

/** What a look at some of the records that are kept has found. */
export interface Unseen {
  /** Those that the sync has not seen, by the shop's ids. */
  readonly externalIds: ReadonlyArray<string>
  /** The last one that was looked at; `null` where there were no more. */
  readonly last: string | null
}

/** What a sync of everything has seen of a store: what is kept and was not seen may be gone there. */
export class StoreSightings extends Context.Service<
  StoreSightings,
  TenantScoped<{
    /** Keeps that the sync has seen these. */
    readonly see: (sought: Sought, externalIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
    /** Whether any record is kept that stands and has not changed here since then. */
    readonly isAnyKept: (
      storeConnectionId: StoreConnectionId,
      kind: MarkedKind,
      before: DateTime.Utc
    ) => Effect.Effect<boolean>
    /**
     * Looks at the next `limit` kept records after that one, in the order of the shop's ids. Those that are gone already are not among what was not seen, nor are those
     * that have changed here since `before`.
     */
    readonly unseen: (
      sought: Sought,
      before: DateTime.Utc,
      after: string | null,
      limit: number
    ) => Effect.Effect<Unseen>
    /** Forgets what any sync has seen of the store, at most `limit` records; says of how many. */
    readonly forget: (storeConnectionId: StoreConnectionId, limit: number) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreSightings") {}
