import type { OrganizationId } from "@parley/domain/kernel"
import type { SqlClient, Statement } from "effect/sql"

/** Query for the ids (`id`) of all contacts with a fact that an area stores. Ids can repeat. */
export type FindContacts = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  values: ReadonlyArray<string>
) => Statement.Fragment
