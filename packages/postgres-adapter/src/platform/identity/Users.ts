import type { UserId } from "@parley/domain/kernel"
import { EmailTaken, User, Users, type UserStatus } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly avatarUrl: string | null
  readonly status: UserStatus
  readonly emailVerifiedAt: Instant | null
  readonly createdAt: Instant
  readonly passwordHash: string
  readonly mustChangePassword: boolean
}

const userOf = ({ avatarUrl, createdAt, email, emailVerifiedAt, id, name, status }: Row) =>
  new User(
    {
      id,
      email,
      name,
      avatarUrl,
      status,
      emailVerifiedAt: utcOrNull(emailVerifiedAt),
      createdAt: utc(createdAt)
    },
    asWritten
  )

const credentialsOf = (row: Row | undefined) =>
  row === undefined
    ? null
    : { user: userOf(row), passwordHash: row.passwordHash, mustChangePassword: row.mustChangePassword }

export const layer = Layer.effect(
  Users,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(
      `id, email, name, avatar_url AS "avatarUrl", status, email_verified_at AS "emailVerifiedAt",
        created_at AS "createdAt", password_hash AS "passwordHash", must_change_password AS "mustChangePassword"`
    )
    const byId = (id: UserId) => sql<Row>`SELECT ${columns} FROM users WHERE id = ${id}`

    return storagePort(Users, {
      find: Effect.fnUntraced(function* (id) {
        const [row] = yield* byId(id)
        return row === undefined ? null : userOf(row)
      }),
      credentialsByEmail: Effect.fnUntraced(function* (email) {
        const [row] = yield* sql<Row>`SELECT ${columns} FROM users WHERE email = ${email}`
        return credentialsOf(row)
      }),
      credentialsById: Effect.fnUntraced(function* (id) {
        const [row] = yield* byId(id)
        return credentialsOf(row)
      }),
      lockCredentials: Effect.fnUntraced(function* (id) {
        const [row] = yield* sql<Row>`SELECT ${columns} FROM users WHERE id = ${id} FOR NO KEY UPDATE`
        return credentialsOf(row)
      }),
      list: Effect.fnUntraced(function* ({ after, limit }) {
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM users ${after === null ? sql`` : sql`WHERE id > ${after}`}
          ORDER BY id LIMIT ${limit}`
        return rows.map(userOf)
      }),
      insert: Effect.fnUntraced(function* (user, password) {
        // A violation would abort the unit of work; a conflict lets the caller go on.
        const inserted = yield* sql`
          INSERT INTO users (id, email, name, avatar_url, status, email_verified_at, created_at, password_hash,
            must_change_password)
          VALUES (${user.id}, ${user.email}, ${user.name}, ${user.avatarUrl}, ${user.status},
            ${stamp(user.emailVerifiedAt)}, ${stamp(user.createdAt)}, ${password.hash}, ${password.mustChange})
          ON CONFLICT ON CONSTRAINT users_email DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* new EmailTaken({ email: user.email })
      }),
      rename: Effect.fnUntraced(function* (id, name) {
        yield* sql`UPDATE users SET name = ${name} WHERE id = ${id}`
      }),
      setStatus: Effect.fnUntraced(function* (id, status) {
        yield* sql`UPDATE users SET status = ${status} WHERE id = ${id}`
        yield* recent.forget
      }),
      setPassword: Effect.fnUntraced(function* (id, { hash, mustChange }) {
        yield* sql`UPDATE users SET password_hash = ${hash}, must_change_password = ${mustChange} WHERE id = ${id}`
        yield* recent.forget
      }),
      setPasswordHash: Effect.fnUntraced(function* (id, hash) {
        yield* sql`UPDATE users SET password_hash = ${hash} WHERE id = ${id}`
      }),
      requirePasswordChange: Effect.fnUntraced(function* (id) {
        yield* sql`UPDATE users SET must_change_password = true WHERE id = ${id}`
        yield* recent.forget
      }),
      verifyEmail: Effect.fnUntraced(function* (id, at) {
        yield* sql`UPDATE users SET email_verified_at = ${stamp(at)} WHERE id = ${id} AND email_verified_at IS NULL`
      })
    })
  })
)
