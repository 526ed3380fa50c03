import { Context, type DateTime, Effect } from "effect"
import { CurrentActor, hasPermission, toActorRef, type TenantScoped, type UserId } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { Overview } from "./dashboardResponses.ts"

/** How many conversations somebody looks after; `null` is nobody. */
export interface MemberLoad {
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
    readonly byAssignee: () => Effect.Effect<ReadonlyArray<MemberLoad>>
    /** How many conversations are not resolved, over this account or over all, by what they have in common. */
    readonly live: (chatAccountId: ChatAccountId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<LiveCount>>
    /** Who these are, in no order. */
    readonly colleagues: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Colleague>>
  }>
>()("@parley/domain/analytics/AnalyticsLoad") {}

/** Whose rows the actor sees among those of members: everybody's (`null`), or their own. */
export const visibleMembers = Effect.map(CurrentActor, (actor): ReadonlyArray<string> | null => {
  if (hasPermission(actor, "agent_analytics.read")) return null
  const { id, kind } = toActorRef(actor)
  return kind === "user" ? [id] : []
})

/** Members by their ids, as far as the actor may know who they are: no plugin is told what a user is called. */
export const knownColleagues = Effect.fnUntraced(function* (ids: ReadonlyArray<UserId>) {
  const isPlugin = toActorRef(yield* CurrentActor).kind === "plugin"
  const colleagues = yield* (yield* AnalyticsLoad).colleagues(ids)
  return new Map(colleagues.map((each) => [each.id, isPlugin ? { ...each, name: "" } : each]))
})

const maxAgents = 25

const isAssigned = <Row extends { readonly userId: UserId | null }>(
  row: Row
): row is Row & { readonly userId: UserId } => row.userId !== null

/** Who has how much to do now, whoever has most open conversations first. */
export const memberLoads = Effect.gen(function* () {
  const load = yield* AnalyticsLoad
  const [all, visible] = [yield* load.byAssignee(), yield* visibleMembers]
  const nobody = all.find(({ userId }) => userId === null)
  const busiest = all
    .filter(isAssigned)
    .filter(({ userId }) => visible === null || visible.includes(userId))
    .toSorted(
      (one, other) => other.open - one.open || other.waiting - one.waiting || (one.userId < other.userId ? -1 : 1)
    )
    .slice(0, maxAgents)
  const colleagues = yield* knownColleagues(busiest.map(({ userId }) => userId))
  const shown: Overview["load"] = {
    unassigned: { open: nobody?.open ?? 0, waiting: nobody?.waiting ?? 0 },
    agents: busiest.map(({ open, userId, waiting }) => ({
      id: userId,
      name: colleagues.get(userId)?.name ?? "",
      open,
      waiting
    }))
  }
  return shown
})
