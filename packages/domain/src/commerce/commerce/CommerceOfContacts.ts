import { Context, type Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { KeptCart } from "../Cart.ts"
import type { CartId, ProductId, StoreCustomerId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { KeptCustomer } from "../StoreCustomer.ts"
import type { StoreEntry } from "../StoreEntry.ts"
import type { KnownRef } from "./CommerceQuery.ts"
import type { Lifetime } from "./ContactCommerce.ts"

/** Everything that is shown of a contact across all stores, as it is kept. */
export interface CommerceRows {
  readonly contactId: ContactId
  readonly customers: ReadonlyArray<KeptCustomer>
  readonly lifetime: ReadonlyArray<Lifetime>
  /** Those placed last first. */
  readonly orders: ReadonlyArray<KeptOrder>
  /** Those that are active or abandoned, the last activity first. */
  readonly carts: ReadonlyArray<KeptCart>
  readonly connections: ReadonlyArray<StoreConnection>
  /** What orders and carts refer to. */
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

/** What hangs on contacts. */
export interface HeldCommerce {
  readonly customers: ReadonlyArray<KeptCustomer>
  readonly orders: ReadonlyArray<KeptOrder>
  readonly carts: ReadonlyArray<KeptCart>
}

/** What the organization's stores hold of contacts. */
export class CommerceOfContacts extends Context.Service<
  CommerceOfContacts,
  TenantScoped<{
    /** All of it at once: at most so many orders, and of the rest what is shown. */
    readonly read: (contactId: ContactId, orders: number) => Effect.Effect<CommerceRows>
    /** As `read`, of the contact of a conversation, at once. */
    readonly readOfConversation: (id: ConversationId, orders: number) => Effect.Effect<CommerceRows, NotFound>
    /**
     * Orders, what was given back of them, and carts, newest first by `at`; the key of a row is its `at`, as written, and its id.
     */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<StoreEntry>>
    /** At most `limit` of each kind, the newest first. */
    readonly heldBy: (contactId: ContactId, limit: number) => Effect.Effect<HeldCommerce>
    /** Reads all that hangs on these contacts to change it, also customers who may be them. Others who do wait until this unit of work ends. */
    readonly lock: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<HeldCommerce, never, Transaction>
    readonly removeCarts: (ids: ReadonlyArray<CartId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/CommerceOfContacts") {}
