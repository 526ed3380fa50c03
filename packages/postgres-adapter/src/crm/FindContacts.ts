import type { OrganizationId } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"

/** A query of the ids of all contacts of whom an area knows something, as `id`. One may come several times. */
export type FindContacts = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  values: ReadonlyArray<string>
) => Statement.Fragment
