import { editDistance, searchableNameWords } from "@parley/domain/crm"
import type { OrderSearch } from "@parley/domain/commerce"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { searchForm } from "../crm/searchForm.ts"
import { containing } from "../crm/searchSql.ts"
import { wholePieces } from "../crm/words.ts"
import type { Organization } from "../kernel/tenantPort.ts"

/** Number of texts of each kind that are read for similar words. */
const mostTexts = 200

const mostWords = 20
const mostTypos = 3

/** Patterns of texts with a word that matches the pattern of a word. Spaces and line ends separate words. */
const textPatterns = (piece: string): ReadonlyArray<string> => {
  const befores = piece.startsWith("%") ? [""] : ["", "% ", "%\n"]
  const afters = piece.endsWith("%") ? [""] : ["", " %", "\n%"]
  return befores.flatMap((before) => afters.map((after) => `${before}${piece}${after}`))
}

/** Searches of orders by their own texts and by their customers. */
export const orderSearches = (sql: SqlClient.SqlClient) => {
  const hasText = (column: Statement.Fragment, word: string) => sql`${column} LIKE ${containing(searchForm(word))}`

  /** Condition for texts with one spelling of each word. */
  const hasSpellings = (column: Statement.Fragment, words: ReadonlyArray<ReadonlyArray<string>>) =>
    sql.and(words.map((spellings) => sql.or(spellings.map((word) => hasText(column, word)))))

  /** Ids of orders with the words in one of the texts. Each part uses the index of its texts. */
  const ids = (organization: Organization, words: ReadonlyArray<ReadonlyArray<string>>) => sql`
    SELECT o.id FROM store_orders AS o
    WHERE o.organization_id = ${organization.id} AND ${hasSpellings(sql`o.search`, words)}
    UNION ALL
    SELECT o.id FROM store_customers AS c
    JOIN store_orders AS o ON o.organization_id = ${organization.id}
      AND o.store_connection_id = c.store_connection_id AND o.external_customer_id = c.external_id
    WHERE c.organization_id = ${organization.id} AND ${hasSpellings(sql`c.search`, words)}`

  return {
    matching: (organization: Organization, search: OrderSearch): Statement.Fragment => {
      if (search.kind === "words") {
        return sql`id IN (${ids(
          organization,
          search.words.map((word) => [word])
        )})`
      }
      const typed = search.spellings.map((spellings) => spellings.slice(0, 1))
      return sql`id IN (${ids(organization, search.spellings)}) AND id NOT IN (${ids(organization, typed)})`
    },
    wordsLike: Effect.fnUntraced(function* (organization: Organization, word: string) {
      const patterns = wholePieces(searchForm(word)).flatMap(textPatterns)
      const isLike = sql.or(patterns.map((pattern) => sql`search LIKE ${pattern}`))
      const rows = yield* sql<{ readonly text: string | null }>`
        (SELECT title AS text FROM store_products WHERE organization_id = ${organization.id} AND (${isLike})
         ORDER BY word_similarity(${word}, search) DESC, id LIMIT ${mostTexts})
        UNION ALL
        (SELECT name AS text FROM store_customers WHERE organization_id = ${organization.id} AND (${isLike})
         ORDER BY word_similarity(${word}, search) DESC, id LIMIT ${mostTexts})`.unprepared
      return [...new Set(rows.flatMap(({ text }) => searchableNameWords(text)))]
        .map((other) => ({ other, far: editDistance(word, other, mostTypos) }))
        .filter(({ far }) => far <= mostTypos)
        .toSorted((one, two) => one.far - two.far || (one.other < two.other ? -1 : 1))
        .slice(0, mostWords)
        .map(({ other }) => other)
    })
  }
}
