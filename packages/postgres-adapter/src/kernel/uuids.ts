import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** Ids as driver parameters. Otherwise they are texts, and PostgreSQL repeats the cast for each compared row. */
export const uuids = (ids: ReadonlyArray<string>) => Result.getOrThrow(PgTypes.array(Array.from(ids), PgTypes.OID.uuid))
