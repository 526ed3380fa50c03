import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Members } from "../Members.ts"

/** Reads the members and the open invitations. */
export const listMembers = useCase(
  "identity.listMembers",
  { access: { permission: "members.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const members = yield* Members
    return yield* paged(
      "members",
      page,
      (slice) => members.list(slice),
      (member) => [member.id]
    )
  })
)
