import { Context, type DateTime, type Effect } from "effect"
import type { ConversationId } from "../inbox/index.ts"
import type { TenantScoped, Transaction, UserId } from "../kernel/index.ts"

/** What members look after, and what becomes of it when they cannot any more. */
export class Assignments extends Context.Service<
  Assignments,
  TenantScoped<{
    /**
     * Leaves every conversation that this user looks after to nobody, resolved ones too, with versions raised by one; says
     * which ones. Whoever hands one to them at the same time has taken the member first, so that none is missed once the
     * member has changed in this unit of work.
     */
    readonly release: (
      userId: UserId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationId>, never, Transaction>
  }>
>()("@parley/domain/identity/Assignments") {}
