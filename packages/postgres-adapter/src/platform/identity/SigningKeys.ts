import { SigningKeys, type SigningKeyRecord } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryKey } from "../../kernel/advisoryKey.ts"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row extends Omit<SigningKeyRecord, "createdAt"> {
  readonly createdAt: Instant
}

export const layer = Layer.effect(
  SigningKeys,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const insert = ({ createdAt, kid, publicKey, sealedPrivateKey }: SigningKeyRecord) => sql`
      INSERT INTO signing_keys (kid, sealed_private_key, public_key, created_at)
      VALUES (${kid}, ${sealedPrivateKey}, ${publicKey}, ${stamp(createdAt)})`

    return storagePort(SigningKeys, {
      all: sql<Row>`
        SELECT kid, sealed_private_key AS "sealedPrivateKey", public_key AS "publicKey", created_at AS "createdAt"
        FROM signing_keys ORDER BY created_at DESC, kid DESC`.pipe(
        Effect.map((rows) => rows.map((row): SigningKeyRecord => ({ ...row, createdAt: utc(row.createdAt) })))
      ),
      insert: (key) => Effect.asVoid(insert(key)),
      insertFirst: (key) =>
        Effect.gen(function* () {
          yield* sql`SELECT 1 FROM pg_advisory_xact_lock(${advisoryKey(sql, "firstSigningKey")})`
          const some = yield* sql`SELECT 1 FROM signing_keys LIMIT 1`
          if (some.length === 0) yield* insert(key)
        }).pipe(sql.withTransaction)
    })
  })
)
