import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { foldName } from "../names.ts"
import { Tags } from "../Tags.ts"

/** Reads the tags by name, of those whose name begins so if that was asked for. */
export const listTags = useCase(
  "tags.list",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (beginning: string, page: PageRequest) {
    const tags = yield* Tags
    return yield* paged(
      "tags",
      page,
      (slice) => tags.list(foldName(beginning), slice),
      (tag) => [foldName(tag.name), tag.id]
    )
  })
)
