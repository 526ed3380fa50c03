import { Context, type Effect } from "effect"
import type { TenantScoped, UserId } from "../kernel/index.ts"

/** How many conversations somebody looks after; `null` is nobody. */
export interface Load {
  readonly userId: UserId | null
  readonly open: number
  readonly waiting: number
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
    /** Who these are, in no order. */
    readonly colleagues: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Colleague>>
  }>
>()("@parley/domain/analytics/AnalyticsLoad") {}
