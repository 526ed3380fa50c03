/** Tables with an `organization_id` that stay whole on the coordinator, beside those that belong to nobody, and why. */
export const wholeTables: Readonly<Record<string, string>> = {
  work_lanes: "says where there is work, and nothing of a tenant but its id: processes look for theirs in all of it"
}

/** A statement that reaches rows of several organizations, or of one that it does not name. */
export interface Spanning {
  /** What is in its text and in that of no other statement, with single spaces. */
  readonly text: string
  readonly reason: string
}

const unknownYet =
  "asked once, before a tenant is known; on Citus this is a scatter read on an indexed key, and it is meant to stay"

/** The statements that span tenants on purpose. An entry that no statement needs any more fails the tests. */
export const spanning: ReadonlyArray<Spanning> = [
  {
    text: "FROM members AS m JOIN organizations AS o ON o.id = m.organization_id WHERE m.user_id = $1",
    reason: unknownYet
  },
  { text: "WHERE m.invitation_digest = $1 AND m.invitation_expires_at > $2", reason: unknownYet },
  { text: "AND m.status = 'active' WHERE t.id = $1", reason: unknownYet },
  { text: "FROM plugin_tokens AS t JOIN plugins AS p", reason: unknownYet },
  {
    text: "UPDATE docs_codes SET redeemed_at = $1 WHERE digest = $2",
    reason:
      "spends a code once, before a tenant is known; on Citus this is a scatter write of one row on an indexed key, and it is meant to stay"
  },
  { text: "AND organization_id <> $", reason: unknownYet },
  {
    text: "AND external_phone_id = ANY(",
    reason: unknownYet
  },
  { text: "FROM store_connections AS c WHERE c.provider = $1", reason: unknownYet },
  {
    text: "DELETE FROM store_authorizations WHERE digest = $1",
    reason:
      "spends a state once, before a tenant is known; on Citus this is a scatter write of one row on an indexed key, and it is meant to stay"
  },
  {
    text: "INSERT INTO deliveries (organization_id, id, lane, source,",
    reason:
      "stores what came for many organizations at once in one commit, which is what makes it fast; on Citus the coordinator splits the rows by organization, and it is meant to stay"
  },
  {
    text: 'AS "deliveriesWaiting"',
    reason:
      "an operator asks how much waits everywhere, seldom; on Citus these are counts of each shard, and it is meant to stay"
  }
]
