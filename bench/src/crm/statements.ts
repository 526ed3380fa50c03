/** Columns of a contact in the organization `organization`, as Parley reads them. */
export const contactColumns = (organization: string) => `c.id, c.name, c.phone, c.email, c.identities, c.locale,
  c.timezone, c.attributes,
  CASE WHEN EXISTS (SELECT FROM removed_tags AS r WHERE r.organization_id = ${organization})
    THEN ARRAY(SELECT tag FROM unnest(c.tags) AS tag WHERE NOT EXISTS (
      SELECT FROM removed_tags AS r WHERE r.organization_id = ${organization} AND r.id = tag) ORDER BY tag)
    ELSE c.tags END AS tags,
  c.marketing, c.consent_source AS "consentSource", c.consent_changed_at AS "consentChangedAt",
  c.blocked_at AS "blockedAt", c.last_seen_at AS "lastSeenAt", c.last_inbound_at AS "lastInboundAt",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.version`

/** The read of one contact by its id. */
export const contactById = (organization: string, id: string) =>
  `SELECT ${contactColumns(organization)} FROM contacts AS c WHERE c.organization_id = ${organization} AND c.id = ${id}`

/** A page of contacts, newest first, with one more row, which shows whether there is a next page. */
export const contactsPage = (organization: string, beyond: string, limit: string) =>
  `SELECT ${contactColumns(organization)} FROM contacts AS c WHERE c.organization_id = ${organization}
    AND c.id < ${beyond} ORDER BY c.id DESC LIMIT ${limit}`
