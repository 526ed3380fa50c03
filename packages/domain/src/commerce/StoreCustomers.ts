import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { CommerceQuery, ExternalRef, KnownRef } from "./commerce/CommerceQuery.ts"
import type { StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import type { KeptCustomer } from "./StoreCustomer.ts"

/** The customers of the organization's stores. Those that are closed are found by `lock` only. */
export class StoreCustomers extends Context.Service<
  StoreCustomers,
  TenantScoped<{
    readonly get: (id: StoreCustomerId) => Effect.Effect<KeptCustomer, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: CommerceQuery, slice: Slice) => Effect.Effect<ReadonlyArray<KeptCustomer>>
    /** Which of these there are, in no order. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<StoreCustomerId>>>
    /** Reads these customers of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptCustomer>, never, Transaction>
    /** Stores new and changed customers. Their orders and carts follow them to their contacts. */
    readonly put: (customers: ReadonlyArray<KeptCustomer>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCustomers") {}
