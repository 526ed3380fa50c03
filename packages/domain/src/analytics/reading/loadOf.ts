import { Effect } from "effect"
import { CurrentActor, holds, refer, type UserId } from "../../kernel/index.ts"
import { AnalyticsLoad } from "../AnalyticsLoad.ts"
import type { Overview } from "../answers/Overview.ts"

/** Whose rows the actor sees among those of members: everybody's (`null`), or their own. */
export const visibleMembers = Effect.map(CurrentActor, (actor): ReadonlyArray<string> | null => {
  if (holds(actor, "agent_analytics.read")) return null
  const { id, kind } = refer(actor)
  return kind === "user" ? [id] : []
})

/** Members by their ids, as far as the actor may know who they are: no plugin is told what a user is called. */
export const knownColleagues = Effect.fnUntraced(function* (ids: ReadonlyArray<UserId>) {
  const isPlugin = refer(yield* CurrentActor).kind === "plugin"
  const colleagues = yield* (yield* AnalyticsLoad).colleagues(ids)
  return new Map(colleagues.map((each) => [each.id, isPlugin ? { ...each, name: "" } : each]))
})

const mostAgents = 25

const isSomebody = <Row extends { readonly userId: UserId | null }>(
  row: Row
): row is Row & { readonly userId: UserId } => row.userId !== null

/** Who has how much to do now, whoever has most open conversations first. */
export const readLoad = Effect.gen(function* () {
  const load = yield* AnalyticsLoad
  const [all, visible] = [yield* load.byAssignee(), yield* visibleMembers]
  const nobody = all.find(({ userId }) => userId === null)
  const busiest = all
    .filter(isSomebody)
    .filter(({ userId }) => visible === null || visible.includes(userId))
    .toSorted(
      (one, other) => other.open - one.open || other.waiting - one.waiting || (one.userId < other.userId ? -1 : 1)
    )
    .slice(0, mostAgents)
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
