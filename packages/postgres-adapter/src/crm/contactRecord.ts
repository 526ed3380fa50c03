import type { OrganizationId } from "@parley/domain/kernel"
import type { Consent, Contact } from "@parley/domain/crm"
import type { SqlClient } from "effect/sql"
import { int, jsonb, orNull, rendering, struct, text, time, uuid, uuids } from "../rendering/rendering.ts"
import { contactTagIds } from "./contactRow.ts"

/** Input of `renderContacts`, from `contacts AS c`. */
export const contactRecord = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => sql`
  record_send(ROW(c.id, c.name, c.phone, c.email, c.username, c.identities, c.locale, c.timezone, c.attributes,
    ${contactTagIds(sql, organizationId)}, c.marketing, c.consent_source, c.consent_changed_at, c.blocked_at,
    c.last_seen_at, c.last_inbound_at, c.created_at, c.updated_at, c.version))`

/** Renders contacts. The keys of identities have the order of the contract, by length. */
export const contactRendering = () =>
  rendering(
    struct<Contact>({
      id: uuid,
      name: orNull(text),
      phone: orNull(text),
      email: orNull(text),
      username: orNull(text),
      identities: jsonb,
      locale: orNull(text),
      timezone: orNull(text),
      attributes: jsonb,
      tags: uuids,
      consent: struct<Consent>({ marketing: text, source: orNull(text), changedAt: orNull(time) }),
      blockedAt: orNull(time),
      lastSeenAt: orNull(time),
      lastInboundAt: orNull(time),
      createdAt: time,
      updatedAt: time,
      version: int
    })
  )
