import { Effect } from "effect"
import type { ContactExpansion, ExpandedContact } from "./ExpandedContact.ts"
import { Tags } from "./Tags.ts"

/** Puts what contacts name beside its ids. Each kind of it is read once for all of them. */
export const expandContacts = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ExpandedContact>,
  expand: ReadonlyArray<ContactExpansion>
) {
  if (!expand.includes("tags") || rows.length === 0) return rows
  const found = yield* (yield* Tags).find([...new Set(rows.flatMap(({ tags }) => tags))])
  const tags = new Map(found.map((tag) => [tag.id, tag]))
  return rows.map((row) => ({ ...row, expanded: { tags: row.tags.flatMap((id) => tags.get(id) ?? []) } }))
})
