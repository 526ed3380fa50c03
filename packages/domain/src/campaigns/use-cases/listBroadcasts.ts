import { Effect } from "effect"
import { ChatAccounts } from "../../messaging/chat/index.ts"
import { NotFound, paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { type BroadcastQuery, Broadcasts } from "../Broadcasts.ts"

/** Refuses to look for what is not there, so that a slip is no empty list. */
const requireAccount = Effect.fnUntraced(function* ({ chatAccountId }: BroadcastQuery) {
  if (chatAccountId === null) return
  const accounts = yield* ChatAccounts
  const [account] = yield* accounts.find([chatAccountId])
  // What was sent over a number that was removed is still there to be found.
  const isKnown = account !== undefined || (yield* accounts.removed()).some((each) => each.account.id === chatAccountId)
  if (!isKnown) return yield* new NotFound({ resource: "chat account", pointer: "/chatAccountId" })
})

/** Reads broadcasts, newest first. */
export const listBroadcasts = useCase(
  "broadcasts.list",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (query: BroadcastQuery, page: PageRequest) {
    yield* requireAccount(query)
    const broadcasts = yield* Broadcasts
    return yield* paged(
      "broadcasts",
      page,
      (slice) => broadcasts.list(query, slice),
      ({ id }) => [id]
    )
  })
)
