import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { PrivacyRequestId } from "./Ids.ts"
import type { KeptPrivacyRequest, PrivacyState } from "./PrivacyRequest.ts"

/** What shops have asked about personal data. */
export class PrivacyRequests extends Context.Service<
  PrivacyRequests,
  TenantScoped<{
    readonly get: (id: PrivacyRequestId) => Effect.Effect<KeptPrivacyRequest, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (state: PrivacyState | null, slice: Slice) => Effect.Effect<ReadonlyArray<KeptPrivacyRequest>>
    /** Those in this state that nothing has happened to since then, at most `limit`. */
    readonly resting: (
      state: PrivacyState,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<KeptPrivacyRequest>>
    /** Those that are not done, are due by then, and were not told to be, at most `limit`. */
    readonly due: (by: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<KeptPrivacyRequest>>
    /** Reads one to change it: others who do wait until this unit of work ends. `null` if there is none. */
    readonly lock: (id: PrivacyRequestId) => Effect.Effect<KeptPrivacyRequest | null, never, Transaction>
    /** Stores a new one, unless its delivery has made one already; says whether it did. */
    readonly insert: (kept: KeptPrivacyRequest) => Effect.Effect<boolean, never, Transaction>
    readonly save: (kept: KeptPrivacyRequest) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/PrivacyRequests") {}
