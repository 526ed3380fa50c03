import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { CannedReplies } from "../CannedReplies.ts"

/** Reads the canned replies whose shortcuts begin so, by shortcut. */
export const listCannedReplies = useCase(
  "cannedReplies.list",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (beginning: string, page: PageRequest) {
    const replies = yield* CannedReplies
    return yield* paged(
      "canned_replies",
      page,
      (slice) => replies.list(beginning.toLowerCase(), slice),
      ({ shortcut }) => [shortcut]
    )
  })
)
