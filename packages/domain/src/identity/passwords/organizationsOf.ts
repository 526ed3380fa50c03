import { Effect } from "effect"
import type { UserId } from "../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"

/** The organizations of a user, whose names are no passwords. */
export const organizationsOf = Effect.fnUntraced(function* (id: UserId) {
  const affiliations = yield* (yield* Accounts).affiliations(id)
  return affiliations.map(({ organization }) => organization)
})
