import { PgClient } from "@effect/sql-pg"
import { type CopySession, copySession } from "@parley/pg-pipeline"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { setFormats } from "./catalog.ts"

type Opening = Effect.Effect<CopySession, SqlError.SqlError, Scope.Scope>

const isOpening = (value: unknown): value is Opening => Effect.isEffect(value)

/** Opens a session with COPY on the database of the client. */
export const openCopySession = Effect.gen(function* () {
  const client = yield* PgClient.PgClient
  const opening = copySession in client ? client[copySession] : null
  if (!isOpening(opening)) return yield* Effect.die(new Error("The client of the database has no COPY."))
  const session = yield* opening
  yield* setFormats(session.sql)
  return session
})
