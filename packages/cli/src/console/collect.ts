import type { Page, PageRequest } from "@parley/domain"
import { Effect } from "effect"

const pageSize = 100

/** The page as the contract asks for it. */
export const queryOf = ({ cursor, limit }: PageRequest) => ({ limit, ...(cursor !== null && { cursor }) })

/** Reads pages until there are enough rows, and says whether there are more. */
export const collect = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
) {
  const rows: Array<A> = []
  let cursor: string | null = null
  do {
    const page: Page<A> = yield* read({ limit: Math.min(pageSize, limit - rows.length), cursor })
    rows.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null && rows.length < limit)
  return { rows, isCut: cursor !== null }
})

/** The same for a list that is read from its last row on. */
export const collectAfter = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (limit: number, last: A | null) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const rows: Array<A> = []
  let last: A | null = null
  do {
    const batch: ReadonlyArray<A> = yield* read(Math.min(pageSize, limit + 1 - rows.length), last)
    rows.push(...batch)
    last = batch.at(-1) ?? null
  } while (last !== null && rows.length <= limit)
  return { rows: rows.slice(0, limit), isCut: rows.length > limit }
})
