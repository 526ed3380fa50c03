import type { OrganizationId } from "@parley/domain/kernel"
import { editDistance, searchableNameWords } from "@parley/domain/crm"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { searchForm } from "./searchForm.ts"
import { containing, hasText } from "./searchSql.ts"

const mostLike = 20
const mostLookedAt = 500

const letters = (word: string) => Array.from(word)

const plain = (piece: ReadonlyArray<string>) => containing(piece.join("")).slice(1, -1)

const swapped = (all: ReadonlyArray<string>, at: number) => [
  ...all.slice(0, at - 1),
  ...all.slice(at - 1, at + 1).toReversed(),
  ...all.slice(at + 1)
]

/**
 * Patterns for the typed word; at least one matches the intended word despite typos. Letters that were swapped across a piece boundary are
 * swapped back.
 */
export const wholePieces = (word: string): ReadonlyArray<string> => {
  const all = letters(word)
  if (all.length < 8) {
    const half = Math.floor(all.length / 2)
    return [`${plain(all.slice(0, half))}%`, `%${plain(all.slice(half))}`, plain(swapped(all, half))]
  }
  const third = Math.ceil(all.length / 3)
  const pieces = (spelled: ReadonlyArray<string>) => [
    `${plain(spelled.slice(0, third))}%`,
    `%${plain(spelled.slice(third, 2 * third))}%`,
    `%${plain(spelled.slice(2 * third))}`
  ]
  return [...new Set([all, swapped(all, third), swapped(all, 2 * third)].flatMap(pieces))]
}

/** A word of a name to enter or to doubt. */
interface Mark {
  readonly word: string
  readonly isDoubted: boolean
}

/** Words of names. Words of deleted or changed contacts are doubted until a check for other contacts with them. */
export const words = (sql: SqlClient.SqlClient) => {
  const distinct = (names: ReadonlyArray<string | null>) => [...new Set(names.flatMap(searchableNameWords))].toSorted()

  const isSpoken = (organizationId: string, word: string) =>
    Effect.map(
      sql`SELECT 1 FROM contacts AS c WHERE c.organization_id = ${organizationId}
        AND ${hasText(sql, word)} AND c.name_key <> ''
        AND strpos(split_part(c.search, E'\\t', 1), ${searchForm(word)}) > 0 LIMIT 1`.unprepared,
      (rows) => rows.length > 0
    )

  const marking = (organizationId: string, marks: ReadonlyArray<Mark>, condition: Statement.Fragment) => sql`
    INSERT INTO contact_search_words AS w (organization_id, word, is_uncertain)
    SELECT ${organizationId}::uuid, word, is_uncertain
    FROM unnest(${marks.map(({ word }) => word)}::text[], ${marks.map(({ isDoubted }) => isDoubted)}::boolean[])
      AS mark (word, is_uncertain)
    WHERE ${condition} ORDER BY word COLLATE "C"
    ON CONFLICT (organization_id, word) DO UPDATE SET is_uncertain = excluded.is_uncertain
    WHERE w.is_uncertain <> excluded.is_uncertain
    RETURNING 1`

  return {
    /** Words that these names add. */
    added: (names: ReadonlyArray<string | null>): ReadonlyArray<Mark> =>
      distinct(names).map((word) => ({ word, isDoubted: false })),
    /** Added and removed words. Words of both names need no mark, because they always exist. */
    changed: (
      names: ReadonlyArray<{ readonly was: string | null; readonly is: string | null }>
    ): ReadonlyArray<Mark> => {
      const now = new Set(names.flatMap(({ is }) => searchableNameWords(is)))
      const marks = names.flatMap(({ is, was }) => {
        const [had, has] = [searchableNameWords(was), searchableNameWords(is)]
        return [
          ...has.filter((word) => !had.includes(word)).map((word) => [word, false] as const),
          ...had.filter((word) => !now.has(word)).map((word) => [word, true] as const)
        ]
      })
      return Array.from(new Map(marks), ([word, isDoubted]) => ({ word, isDoubted }))
    },
    /**
     * Enters or doubts words if `condition` holds. Words are locked in one order to prevent deadlocks. The lookup uses the primary key only: the
     * planner would use the slow similarity index for a search.
     */
    marking,
    doubt: (organizationId: OrganizationId, names: ReadonlyArray<string | null>) => {
      const marks = distinct(names).map((word) => ({ word, isDoubted: true }))
      return marks.length === 0 ? Effect.void : sql`${marking(organizationId, marks, sql`true`)}`
    },
    /** Enters the words of these names. */
    enter: (organizationId: OrganizationId, names: ReadonlyArray<string | null>) => {
      const marks = distinct(names).map((word) => ({ word, isDoubted: false }))
      return marks.length === 0 ? Effect.void : sql`${marking(organizationId, marks, sql`true`)}`
    },
    like: Effect.fnUntraced(function* (organizationId: OrganizationId, word: string) {
      const length = letters(word).length
      const pieces = sql.or(wholePieces(word).map((piece) => sql`word LIKE ${piece}`))
      const most = length < 8 ? 1 : 2
      const rows = yield* sql<{ readonly word: string }>`
        SELECT word FROM contact_search_words WHERE organization_id = ${organizationId}
          AND (${pieces}) AND char_length(word) BETWEEN ${length - most} AND ${length + most}
        ORDER BY similarity(word, ${word}) DESC, word LIMIT ${mostLookedAt}`.unprepared
      return rows
        .map((row) => ({ word: row.word, far: editDistance(word, row.word, most) }))
        .toSorted((one, other) => one.far - other.far)
        .slice(0, mostLike)
        .map((row) => row.word)
    }),
    /** Checks uncertain words and removes unused ones. Returns the number of removed words. */
    settle: Effect.fnUntraced(function* (organizationId: OrganizationId, limit: number) {
      const doubted = yield* sql<{ readonly word: string }>`
        SELECT word FROM contact_search_words WHERE organization_id = ${organizationId} AND is_uncertain
        ORDER BY word COLLATE "C" LIMIT ${limit}`
      for (const { word } of doubted) {
        // A concurrent transaction that adds the word to a contact clears the doubt. One of the two waits for the other.
        yield* (yield* isSpoken(organizationId, word))
          ? sql`UPDATE contact_search_words SET is_uncertain = false WHERE organization_id = ${organizationId} AND word = ${word}`
          : sql`DELETE FROM contact_search_words WHERE organization_id = ${organizationId} AND word = ${word} AND is_uncertain`
      }
      return doubted.length
    })
  }
}
