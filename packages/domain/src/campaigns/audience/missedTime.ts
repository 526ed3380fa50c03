import { Effect } from "effect"
import { Audiences, type SampledContact } from "../Audiences.ts"
import type { Schedule } from "../timing/index.ts"
import type { AudiencePlan } from "./AudiencePlan.ts"

/** Those who get nothing because by their own clocks it is too late: how many they are, and whether somebody is one of them. */
export const missedTime = Effect.fnUntraced(function* (plan: AudiencePlan, schedule: Schedule | null) {
  const { times } = plan
  if (times === null || schedule?.passed !== "skip") return { count: 0, hasMissed: () => false }
  const clocks = yield* (yield* Audiences).clocks({ ...plan, holdOut: 0 }, null)
  const missed = clocks.filter(({ of }) => times.skips(times.dueAt(of)))
  return {
    count: missed.reduce((sum, { count }) => sum + count, 0),
    hasMissed: ({ contact }: SampledContact) => times.skips(times.dueAt(contact))
  }
})
