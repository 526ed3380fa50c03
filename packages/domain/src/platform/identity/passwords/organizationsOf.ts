import { Effect } from "effect"
import type { UserId } from "../../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"

/** Organizations of a user. Their names are not valid passwords. */
export const organizationsOf = Effect.fnUntraced(function* (id: UserId) {
  const affiliations = yield* (yield* Accounts).affiliations(id)
  return affiliations.map(({ organization }) => organization)
})
