import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { Availability, MemberId } from "../../../platform/identity/index.ts"
import type { Role, TenantScoped, Transaction, UserId } from "../../../kernel/index.ts"

/** Somebody of the team, and how much they look after. */
export interface Workload {
  readonly memberId: MemberId
  readonly userId: UserId
  readonly role: Role
  readonly availability: Availability
  /** How many open conversations they look after. */
  readonly open: number
  /** When they were handed a conversation last; `null` if they never were. */
  readonly handedAt: DateTime.Utc | null
}

/** How much everybody looks after. */
export class Workloads extends Context.Service<
  Workloads,
  TenantScoped<{
    /** Of all who have joined and may log in, in no order. */
    readonly all: () => Effect.Effect<ReadonlyArray<Workload>>
    /** Who looks after the conversation with the contact in which something happened last, of those that anybody looks after. */
    readonly lastOf: (contactId: ContactId) => Effect.Effect<UserId | null>
    /** Notes that they were handed a conversation. Call it once the conversation is taken: members come after those. */
    readonly handed: (userIds: ReadonlyArray<UserId>, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets when this user was handed a conversation. */
    readonly forget: (userId: UserId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Workloads") {}
