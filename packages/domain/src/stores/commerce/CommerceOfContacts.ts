import { Context, type Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { ConversationId } from "../../inbox/index.ts"
import type { NotFound, TenantScoped } from "../../kernel/index.ts"
import type { KeptCart } from "../Cart.ts"
import type { ProductId, StoreCustomerId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { KeptCustomer } from "../StoreCustomer.ts"
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

/** What the organization's stores hold of contacts. */
export class CommerceOfContacts extends Context.Service<
  CommerceOfContacts,
  TenantScoped<{
    /** All of it at once: at most so many orders, and of the rest what is shown. */
    readonly read: (contactId: ContactId, orders: number) => Effect.Effect<CommerceRows>
    /** As `read`, of the contact of a conversation, at once. */
    readonly readOfConversation: (id: ConversationId, orders: number) => Effect.Effect<CommerceRows, NotFound>
  }>
>()("@parley/domain/stores/CommerceOfContacts") {}
