import type { OrganizationId } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"

/** What holds for the rows of `contacts AS c` of which an area knows that. */
export type CompileCondition = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  values: ReadonlyArray<string>
) => Statement.Fragment
