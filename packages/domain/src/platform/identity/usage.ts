import { Effect } from "effect"
import { Members } from "./Members.ts"

/** Whoever is a member or is invited takes a seat. */
export const seatUse = {
  limit: "seats",
  lock: "members",
  count: Effect.flatMap(Members, (members) => members.count())
} as const
