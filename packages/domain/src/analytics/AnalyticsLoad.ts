import { Context, type DateTime, Effect } from "effect"
import { CurrentActor, hasPermission, toActorRef, type TenantScoped, type UserId } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { Overview } from "./dashboardResponses.ts"

/** Unresolved conversations of a member; `null` for unassigned ones. */
export interface MemberLoad {
  readonly userId: UserId | null
  readonly open: number
  readonly waiting: number
}

/** Number of conversations with these properties. */
export interface LiveCount {
  readonly status: "open" | "pending" | "snoozed"
  readonly isAssigned: boolean
  /** Index in `waitSteps` of the current wait; `null` without a wait. */
  readonly step: number | null
  readonly count: number
  readonly oldest: DateTime.Utc | null
}

/** User with activity in the organization. `former`: not a member any more. */
export interface Colleague {
  readonly id: UserId
  readonly name: string
  readonly status: "active" | "disabled" | "former"
}

/** Current workload per member and in total. It reads only unresolved conversations. */
export class AnalyticsLoad extends Context.Service<
  AnalyticsLoad,
  TenantScoped<{
    /** Returns the workload of members with unresolved conversations, in no order. */
    readonly byAssignee: () => Effect.Effect<ReadonlyArray<MemberLoad>>
    /** Counts unresolved conversations of this account, or of all accounts, by their properties. */
    readonly live: (chatAccountId: ChatAccountId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<LiveCount>>
    /** Returns these users, in no order. */
    readonly colleagues: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Colleague>>
  }>
>()("@parley/domain/analytics/AnalyticsLoad") {}

/** Ids of the members whose rows the actor can see: all (`null`), or only its own. */
export const visibleMembers = Effect.map(CurrentActor, (actor): ReadonlyArray<string> | null => {
  if (hasPermission(actor, "agent_analytics.read")) return null
  const { id, kind } = toActorRef(actor)
  return kind === "user" ? [id] : []
})

/** Returns members by id, as far as the actor can see them. Plugins do not get the names of users. */
export const knownColleagues = Effect.fnUntraced(function* (ids: ReadonlyArray<UserId>) {
  const isPlugin = toActorRef(yield* CurrentActor).kind === "plugin"
  const colleagues = yield* (yield* AnalyticsLoad).colleagues(ids)
  return new Map(colleagues.map((each) => [each.id, isPlugin ? { ...each, name: "" } : each]))
})

const maxAgents = 25

const isAssigned = <Row extends { readonly userId: UserId | null }>(
  row: Row
): row is Row & { readonly userId: UserId } => row.userId !== null

/** Current workload of members, most open conversations first. */
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
