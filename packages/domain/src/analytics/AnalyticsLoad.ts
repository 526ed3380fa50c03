import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { TenantScoped, UserId } from "../kernel/index.ts"

/** How many conversations somebody looks after; `null` is nobody. */
export interface Load {
  readonly userId: UserId | null
  readonly open: number
  readonly waiting: number
}

/** Conversations that have this in common. */
export interface LiveCount {
  readonly status: "open" | "pending" | "snoozed"
  readonly isAssigned: boolean
  /** Which of `waitSteps` the wait for an answer has come to; `null` where nobody waits. */
  readonly step: number | null
  readonly count: number
  readonly oldest: DateTime.Utc | null
}

/** Somebody who has done something in the organization. `former`: not a member any more. */
export interface Colleague {
  readonly id: UserId
  readonly name: string
  readonly status: "active" | "disabled" | "former"
}

/** What there is to do now, and who does it. It reads conversations that are not resolved, and no others. */
export class AnalyticsLoad extends Context.Service<
  AnalyticsLoad,
  TenantScoped<{
    /** Whoever looks after conversations that are not resolved, in no order. */
    readonly byAssignee: () => Effect.Effect<ReadonlyArray<Load>>
    /** How many conversations are not resolved, over this account or over all, by what they have in common. */
    readonly live: (chatAccountId: ChatAccountId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<LiveCount>>
    /** Who these are, in no order. */
    readonly colleagues: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Colleague>>
  }>
>()("@parley/domain/analytics/AnalyticsLoad") {}
