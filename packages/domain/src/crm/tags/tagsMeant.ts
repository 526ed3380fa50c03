import { Effect, Schema } from "effect"
import { NotFound } from "../../kernel/index.ts"
import { TagId } from "../Ids.ts"
import { foldName } from "../names.ts"
import type { TagRef } from "../Tag.ts"
import { Tags } from "../Tags.ts"

const isTagId = Schema.is(TagId)

/** The tags that a request names by their ids or names, each once. One that there is not is refused. */
export const tagsMeant = Effect.fnUntraced(function* (named: ReadonlyArray<TagRef>, pointer: string) {
  if (named.length === 0) return []
  const tags = yield* Tags
  const ids = named.filter((each) => isTagId(each))
  const names = named.filter((each) => !isTagId(each))
  const found = [...(yield* tags.find(ids)), ...(yield* tags.findByName(names))]
  const known = new Map<string, TagId>(
    found.flatMap(({ id, name }) => [[id, id] as const, [foldName(name), id] as const])
  )
  const meant = new Set<TagId>()
  for (const [index, each] of named.entries()) {
    const id = known.get(isTagId(each) ? each : foldName(each))
    if (id === undefined) {
      const by = isTagId(each) ? {} : { by: "name" as const }
      return yield* new NotFound({ resource: "tag", pointer: `${pointer}/${index}`, ...by })
    }
    meant.add(id)
  }
  return [...meant]
})
