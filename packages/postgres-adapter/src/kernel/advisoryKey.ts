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

/** 64-bit key of an advisory lock. Parts are hashed in a chain, so different lists of parts do not collide by concatenation. */
export const advisoryKey = (sql: SqlClient.SqlClient, kind: keyof typeof seeds, ...parts: ReadonlyArray<string>) =>
  parts.reduce((seed, part) => sql`hashtextextended(${part}, ${seed})`, sql`${seeds[kind]}::bigint`)
