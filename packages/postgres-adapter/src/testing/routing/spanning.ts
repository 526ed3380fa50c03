/** Tables with an `organization_id` that statements read across organizations, with the reason. */
export const wholeTables: Readonly<Record<string, string>> = {
  lanes:
    "states when tasks are due; the organization id is its only tenant data, and each process reads the lanes of its shards"
}

/** A statement that reaches rows of several organizations, or of an organization that it does not name. */
export interface Spanning {
  /** Text that only this statement contains, with single spaces. */
  readonly text: string
  readonly reason: string
}

const unknownYet = "runs once per request, before the tenant is known; reads few rows by an indexed key"

/** Statements that span tenants on purpose. An unused entry fails the tests. */
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
    reason: "spends a code once, before the tenant is known; writes one row by an indexed key"
  },
  { text: "AND organization_id <> $", reason: unknownYet },
  {
    text: "AND external_phone_id = ANY(",
    reason: unknownYet
  },
  { text: "FROM store_connections AS c WHERE c.provider = $1", reason: unknownYet },
  {
    text: "DELETE FROM store_authorizations WHERE digest = $1",
    reason: "spends a state once, before the tenant is known; writes one row by an indexed key"
  },
  {
    text: "SELECT 1 FROM store_parked_codes WHERE provider = $1",
    reason: "finds a running exchange of the shop in any organization; reads few rows by an index"
  },
  {
    text: "INSERT INTO inbound_deliveries (organization_id, id, lane, source,",
    reason:
      "stores the deliveries of many organizations in one commit, for throughput; each row carries its organization"
  },
  {
    text: 'AS "deliveriesWaiting"',
    reason: "counts the waiting work of all organizations; operators run it, rarely"
  }
]
