import type { OrganizationId } from "@parley/domain/kernel"
import type { ContactSearch } from "@parley/domain/crm"
import type { SqlClient, Statement } from "effect/sql"
import { searchForm } from "./searchForm.ts"

/** Length of the prefix that the index of names with different search spellings contains. */
const indexedBeginning = 16

/** LIKE pattern for texts that contain this one. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`

/** Condition for rows of `contacts AS c` whose search text contains this folded text. */
export const hasText = (sql: SqlClient.SqlClient, text: string): Statement.Fragment =>
  sql`c.search LIKE ${containing(searchForm(text))}`

/** Condition for rows of `contacts AS c` that a search matches. */
export const searchSql = (sql: SqlClient.SqlClient, search: ContactSearch): Statement.Fragment => {
  const all = (words: ReadonlyArray<string>) => sql.and(words.map((word) => hasText(sql, word)))
  switch (search.kind) {
    case "words":
      return all(search.words)
    case "beginning": {
      const text = searchForm(search.text)
      return sql`(c.search ^@ ${text} OR strpos(c.search, ${`\t${text}`}) > 0)`
    }
    case "near": {
      const typed = search.spellings.flatMap((spellings) => spellings.slice(0, 1))
      return sql`${anySpelling(sql, search.spellings)} AND NOT (${all(typed)})`
    }
  }
}

/** Condition for rows of `contacts AS c` that have one spelling of each word. */
export const anySpelling = (sql: SqlClient.SqlClient, words: ReadonlyArray<ReadonlyArray<string>>) =>
  sql.and(words.map((spellings) => sql.or(spellings.map((word) => hasText(sql, word)))))

/** Ids of contacts whose name, email address or phone number starts with the text. The result can contain a few more. */
export const idsBeginning = (sql: SqlClient.SqlClient, organizationId: OrganizationId, text: string) => {
  const form = Array.from(searchForm(text)).slice(0, indexedBeginning).join("")
  // An address with a special letter is used as typed, because the letter can be intended.
  const letters = text.includes(" ") ? [] : Array.from(text)
  const written = letters.map((_, place) => {
    const same = letters.slice(0, place).join("")
    return sql`UNION ALL
  SELECT contact_id FROM contact_identities WHERE organization_id = ${organizationId} AND kind = 'email'
    AND key >= ${`${same}\u{80}`} AND key < ${`${same}\u{10ffff}`}`
  })
  return sql`
  SELECT b.id FROM contacts AS b WHERE b.organization_id = ${organizationId} AND b.name_key ^@ ${text}
  UNION ALL
  SELECT b.id FROM contacts AS b WHERE b.organization_id = ${organizationId}
    AND left(b.search, ${sql.literal(String(indexedBeginning))}) ^@ ${form} AND NOT starts_with(b.search, b.name_key)
  UNION ALL
  SELECT contact_id FROM contact_identities
  WHERE organization_id = ${organizationId} AND kind = 'email' AND key ^@ ${text}
  ${written.length === 0 ? sql`` : sql.join(" ", false)(written)}
  UNION ALL
  SELECT contact_id FROM contact_identities
  WHERE organization_id = ${organizationId} AND kind = 'phone' AND key ^@ ${`+${text}`}`
}
