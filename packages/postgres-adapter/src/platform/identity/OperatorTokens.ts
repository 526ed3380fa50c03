import { NotFound, type OperatorScope, type OperatorTokenId } from "@parley/domain/kernel"
import { OperatorToken, OperatorTokens } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: OperatorTokenId
  readonly name: string
  readonly scopes: readonly [OperatorScope, ...ReadonlyArray<OperatorScope>]
  readonly allowedAddresses: ReadonlyArray<string>
  readonly createdBy: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

const tokenOf = (row: Row) =>
  new OperatorToken(
    {
      ...row,
      createdAt: utc(row.createdAt),
      expiresAt: utc(row.expiresAt),
      lastUsedAt: utcOrNull(row.lastUsedAt),
      revokedAt: utcOrNull(row.revokedAt)
    },
    asWritten
  )

export const layer = Layer.effect(
  OperatorTokens,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(`id, name, scopes, allowed_addresses AS "allowedAddresses", created_by AS "createdBy",
      created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`)

    return storagePort(OperatorTokens, {
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM operator_tokens ${after === null ? sql`` : sql`WHERE id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(tokenOf)
      }),
      find: Effect.fnUntraced(function* (id) {
        const [row] = yield* sql<Row>`SELECT ${columns} FROM operator_tokens WHERE id = ${id}`
        return row === undefined ? null : tokenOf(row)
      }),
      insert: Effect.fnUntraced(function* (token) {
        const { allowedAddresses, createdAt, createdBy, expiresAt, id, lastUsedAt, name, revokedAt, scopes } = token
        yield* sql`
          INSERT INTO operator_tokens (id, name, scopes, allowed_addresses, created_by, created_at, expires_at,
            last_used_at, revoked_at)
          VALUES (${id}, ${name}, ${scopes}, ${allowedAddresses}, ${createdBy}, ${stamp(createdAt)},
            ${stamp(expiresAt)}, ${stamp(lastUsedAt)}, ${stamp(revokedAt)})`
      }),
      revoke: Effect.fnUntraced(function* (id, now) {
        const [row] = yield* sql<Row>`
          UPDATE operator_tokens SET revoked_at = coalesce(revoked_at, ${stamp(now)}) WHERE id = ${id}
          RETURNING ${columns}`
        return row === undefined ? yield* new NotFound({ resource: "operator token" }) : tokenOf(row)
      }),
      touch: Effect.fnUntraced(function* (id, now) {
        yield* sql`UPDATE operator_tokens SET last_used_at = ${stamp(now)} WHERE id = ${id}`
      })
    })
  })
)
