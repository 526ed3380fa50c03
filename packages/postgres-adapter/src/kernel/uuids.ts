import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** Ids, as the driver binds them. It takes them for texts otherwise, and their cast is made anew for each row that is compared with them. */
export const uuids = (ids: ReadonlyArray<string>) => Result.getOrThrow(PgTypes.array(Array.from(ids), PgTypes.OID.uuid))
