import { type OrganizationId, unvalidated } from "@parley/domain/kernel"
import {
  type Attributes,
  type ConsentState,
  Contact,
  type ContactId,
  type ContactIdentity,
  normalizeName,
  contactSearchText,
  type TagId
} from "@parley/domain/crm"
import { DateTime } from "effect"
import type { SqlClient } from "effect/sql"
import { type Instant, utc, utcOrNull } from "../kernel/columns.ts"
import { searchForm } from "./searchForm.ts"

interface StoredIdentity extends Omit<ContactIdentity, "addedAt" | "formerSince"> {
  readonly formerSince?: string
  readonly addedAt: string
}

export interface ContactRow {
  readonly id: ContactId
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly username: string | null
  readonly identities: ReadonlyArray<StoredIdentity>
  readonly locale: string | null
  readonly timezone: string | null
  readonly attributes: Attributes
  readonly tags: ReadonlyArray<TagId>
  readonly marketing: ConsentState
  readonly consentSource: string | null
  readonly consentChangedAt: Instant | null
  readonly blockedAt: Instant | null
  readonly lastSeenAt: Instant | null
  readonly lastInboundAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

/** Tags of the rows of `contacts AS c`. Removed tags can remain in rows until the sweep. Each statement checks once whether such tags exist. */
export const contactTagIds = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => sql`
  CASE WHEN EXISTS (SELECT FROM removed_tags AS r WHERE r.organization_id = ${organizationId})
    THEN ARRAY(SELECT tag FROM unnest(c.tags) AS tag WHERE NOT EXISTS (
      SELECT FROM removed_tags AS r WHERE r.organization_id = ${organizationId} AND r.id = tag) ORDER BY tag)
    ELSE c.tags END`

/** Columns of a contact, from `contacts AS c`. */
export const contactColumns = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => sql`
  c.id, c.name, c.phone, c.email, c.username, c.identities, c.locale, c.timezone, c.attributes,
  ${contactTagIds(sql, organizationId)} AS tags,
  c.marketing, c.consent_source AS "consentSource", c.consent_changed_at AS "consentChangedAt",
  c.blocked_at AS "blockedAt", c.last_seen_at AS "lastSeenAt", c.last_inbound_at AS "lastInboundAt",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.version`

const restore = unvalidated(Contact)

export const contactOf = (row: ContactRow): Contact =>
  restore({
    id: row.id,
    name: row.name,
    phone: row.phone,
    email: row.email,
    username: row.username,
    identities: row.identities.map(({ addedAt, formerSince, kind, source, value }) => ({
      kind,
      value,
      source,
      addedAt: DateTime.makeUnsafe(addedAt),
      ...(formerSince !== undefined && { formerSince: DateTime.makeUnsafe(formerSince) })
    })),
    locale: row.locale,
    timezone: row.timezone,
    attributes: row.attributes,
    tags: row.tags,
    consent: {
      marketing: row.marketing,
      source: row.consentSource,
      changedAt: utcOrNull(row.consentChangedAt)
    },
    blockedAt: utcOrNull(row.blockedAt),
    lastSeenAt: utcOrNull(row.lastSeenAt),
    lastInboundAt: utcOrNull(row.lastInboundAt),
    createdAt: utc(row.createdAt),
    updatedAt: utc(row.updatedAt),
    version: row.version
  })

const iso = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

/** Stored JSON record of a contact, without tags and version. */
export const recordOf = (contact: Contact) => ({
  id: contact.id,
  name: contact.name,
  name_key: contact.name === null ? "" : normalizeName(contact.name),
  phone: contact.phone,
  email: contact.email,
  username: contact.username,
  identities: contact.identities.map(({ addedAt, formerSince, kind, source, value }) => ({
    kind,
    value,
    source,
    addedAt: DateTime.formatIso(addedAt),
    ...(formerSince !== undefined && { formerSince: DateTime.formatIso(formerSince) })
  })),
  locale: contact.locale,
  timezone: contact.timezone,
  attributes: contact.attributes,
  marketing: contact.consent.marketing,
  consent_source: contact.consent.source,
  consent_changed_at: iso(contact.consent.changedAt),
  blocked_at: iso(contact.blockedAt),
  last_seen_at: iso(contact.lastSeenAt),
  last_inbound_at: iso(contact.lastInboundAt),
  created_at: iso(contact.createdAt),
  updated_at: iso(contact.updatedAt),
  search: searchForm(contactSearchText(contact))
})

/** The columns of `recordOf`, for `json_to_recordset`. */
export const recordColumns = `id uuid, name text, name_key text, phone text, email text, username text, identities jsonb, locale text,
  timezone text, attributes jsonb, marketing text, consent_source text, consent_changed_at timestamptz,
  blocked_at timestamptz, last_seen_at timestamptz, last_inbound_at timestamptz, created_at timestamptz,
  updated_at timestamptz, search text`
