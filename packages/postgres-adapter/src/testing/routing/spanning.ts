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

const unknownYet = "asks whose something is: the keys that are asked for move to a small table that stays whole"
const sweep = "sweeps what is past its time: it has to be asked for each organization"

/** The statements that remain. The list is to shrink: an entry that no statement needs any more fails the tests. */
export const spanning: ReadonlyArray<Spanning> = [
  {
    text: "FROM members AS m JOIN organizations AS o ON o.id = m.organization_id WHERE m.user_id = $1",
    reason: unknownYet
  },
  { text: "WHERE m.invitation_digest = $1 AND m.invitation_expires_at > $2", reason: unknownYet },
  { text: "AND m.status = 'active' WHERE t.id = $1", reason: unknownYet },
  { text: "UPDATE docs_codes SET redeemed_at = $1 WHERE digest = $2", reason: unknownYet },
  { text: "AND organization_id <> $", reason: unknownYet },
  {
    text: "AND external_phone_id = ANY(",
    reason: unknownYet
  },
  {
    text: "INSERT INTO deliveries (organization_id, id, source,",
    reason: "stores what came for many organizations in one commit: it has to be cut by organization"
  },
  { text: "FROM idempotency_keys WHERE stored_at <= $1", reason: sweep },
  { text: "FROM docs_codes WHERE expires_at <= $1", reason: sweep },
  { text: "FROM files WHERE state = 'uploading' AND begun_at <= $1", reason: sweep },
  { text: "WHERE f.state = 'removed' LIMIT $1 FOR UPDATE OF c SKIP LOCKED", reason: sweep },
  { text: "FROM files AS f WHERE state = 'removed' AND NOT EXISTS", reason: sweep },
  { text: "FROM contact_files AS e LEFT JOIN contact_imports AS i", reason: sweep },
  { text: "FROM contact_import_faults WHERE imported_at <= $1", reason: sweep },
  { text: "FROM media WHERE NOT is_used AND created_at <= $1", reason: sweep },
  { text: "FROM deliveries WHERE state = 'applied' AND applied_at < $1", reason: sweep },
  { text: "FROM deliveries WHERE state = 'parked' AND received_at < $1", reason: sweep },
  {
    text: 'AS "deliveriesWaiting"',
    reason: "counts what waits everywhere: the owners of lanes are to tell it, each of its own"
  }
]
