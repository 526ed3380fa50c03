import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import type { TagId } from "../Ids.ts"
import { Tags } from "../Tags.ts"

/** Reads one tag. */
export const getTag = useCase(
  "tags.get",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: TagId) {
    return yield* (yield* Tags).get(id)
  })
)
