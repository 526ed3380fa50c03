import { Effect } from "effect"
import type { Work } from "../background/index.ts"
import { FollowedLogs } from "./FollowedLogs.ts"

/** How many subscribers a process has at work at once. */
const lanes = 4

/** What this area has done in the background. */
export const eventsWorks = [
  {
    name: "subscribers",
    run: Effect.flatMap(FollowedLogs, ({ run }) => run),
    wake: {
      notification: Effect.flatMap(FollowedLogs, ({ notification }) => notification),
      due: Effect.flatMap(FollowedLogs, ({ due }) => due)
    },
    lanes
  } satisfies Work<unknown>
] as const
