import type { OrganizationId } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Condition on the rows of `contacts AS c` for a fact that an area stores. */
export type CompileCondition = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  values: ReadonlyArray<string>
) => Statement.Fragment
