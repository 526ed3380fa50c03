import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped, Transaction, UserId } from "../../kernel/index.ts"
import type { ConversationId } from "./Ids.ts"

/** The conversations that members look after. */
export class AssignedConversations extends Context.Service<
  AssignedConversations,
  TenantScoped<{
    /**
     * Leaves every conversation that this user looks after to nobody, resolved ones too, with versions raised by one; says
     * which ones.
     */
    readonly release: (
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationId>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/AssignedConversations") {}
