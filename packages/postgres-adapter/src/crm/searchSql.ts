import type { OrganizationId, Search } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"

/** A pattern for LIKE that matches texts which contain this one. */
export const containing = (text: string) => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`

/** The condition that holds for the rows of `contacts AS c` that a search finds. */
export const searchSql = (sql: SqlClient.SqlClient, search: Search): Statement.Fragment =>
  search.kind === "words"
    ? sql.and(search.words.map((word) => sql`c.search LIKE ${containing(word)}`))
    : sql`(c.search ^@ ${search.text} OR strpos(c.search, ${`\t${search.text}`}) > 0)`

/** The ids of contacts whose name, e-mail address or phone number begins so: a few more than there are, at worst. */
export const idsBeginning = (sql: SqlClient.SqlClient, organizationId: OrganizationId, text: string) => sql`
  SELECT b.id FROM contacts AS b WHERE b.organization_id = ${organizationId} AND b.name_key ^@ ${text}
  UNION ALL
  SELECT contact_id FROM contact_identities
  WHERE organization_id = ${organizationId} AND kind = 'email' AND key ^@ ${text}
  UNION ALL
  SELECT contact_id FROM contact_identities
  WHERE organization_id = ${organizationId} AND kind = 'phone' AND key ^@ ${`+${text}`}`
