import type { OrganizationId } from "@parley/domain/kernel"
import { type MessageId, type SearchableParts, searchableText } from "@parley/domain/messaging"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { refolds } from "../../kernel/refolds.ts"
import { spokenWords } from "./messageWords.ts"

interface SpokenRow extends SearchableParts {
  readonly id: MessageId
}

/** Updates the words of messages that were stored with another folding. */
export const messageRefold = (sql: SqlClient.SqlClient) => {
  const refolding = refolds(sql, "messages")

  return (organizationId: OrganizationId, limit: number) =>
    refolding(
      organizationId,
      limit,
      Effect.fnUntraced(function* (after) {
        const rows = yield* sql<SpokenRow>`
          SELECT id, text, location, contacts, order_items AS "order", referral FROM messages
          WHERE organization_id = ${organizationId} AND id > ${after} ORDER BY id LIMIT ${limit} FOR NO KEY UPDATE`
        const records = rows.map((message) => ({ id: message.id, words: spokenWords(searchableText(message)) }))
        yield* sql`
          UPDATE messages AS m SET words = array_to_tsvector(s.words)
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (id uuid, words text[])
          WHERE m.organization_id = ${organizationId} AND m.id = s.id AND m.words <> array_to_tsvector(s.words)`
        return rows
      })
    )
}
