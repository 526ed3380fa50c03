import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { Availabilities } from "../Availabilities.ts"
import type { MemberId } from "../Member.ts"
import { requireOwn } from "../requireOwn.ts"

/** Reads whether a member takes conversations that are handed out by themselves, and how many. */
export const getAvailability = useCase(
  "identity.getAvailability",
  { access: { permission: "members.read" } },
  Effect.fnUntraced(function* (id: MemberId) {
    yield* requireOwn(id)
    return yield* (yield* Availabilities).get(id)
  })
)
