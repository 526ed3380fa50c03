import { Effect } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { TagId } from "../Ids.ts"
import { Tags } from "../Tags.ts"

/** Refuses tags that do not exist. */
export const checkTags = Effect.fnUntraced(function* (tags: ReadonlyArray<TagId> | undefined, pointer: string) {
  if (tags === undefined || tags.length === 0) return
  const found = new Set((yield* (yield* Tags).find(tags)).map(({ id }) => id))
  const missing = tags.findIndex((id) => !found.has(id))
  if (missing >= 0) return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${missing}` })
})
