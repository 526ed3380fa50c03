import { Context, type Effect } from "effect"
import type { NotFound, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Availability } from "./Availability.ts"
import type { MemberId } from "./Member.ts"

/** Who of the organization takes conversations that are handed out by themselves. It is gone with the member. */
export class Availabilities extends Context.Service<
  Availabilities,
  TenantScoped<{
    readonly get: (id: MemberId) => Effect.Effect<Availability, NotFound>
    /** As `get`; it stays so until this unit of work ends. */
    readonly lock: (id: MemberId) => Effect.Effect<Availability, NotFound, Transaction>
    readonly save: (id: MemberId, availability: Availability) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/platform/identity/Availabilities") {}
