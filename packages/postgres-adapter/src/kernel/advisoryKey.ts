import type { SqlClient } from "effect/sql"

const seeds = {
  lock: 1,
  idempotencyKey: 2,
  firstSigningKey: 3,
  migrations: 4,
  platformNumber: 5,
  earlyReceipts: 6,
  shop: 7,
  storeSecrets: 8
} as const

/** The 64-bit key of an advisory lock: parts are hashed one into the other, so that no two lists of parts read alike. */
export const advisoryKey = (sql: SqlClient.SqlClient, kind: keyof typeof seeds, ...parts: ReadonlyArray<string>) =>
  parts.reduce((seed, part) => sql`hashtextextended(${part}, ${seed})`, sql`${seeds[kind]}::bigint`)
