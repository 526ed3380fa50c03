import { customerSearchText, type StoreCustomerId, StoreCustomers } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { searchForm } from "../crm/searchForm.ts"
import { movingOrders } from "./movingOrders.ts"
import { knownRefs, readingRecords } from "./records.ts"
import { conditionsOf, customerOf, customerRow } from "./storeRows.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  StoreCustomers,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const open = sql`closed_at IS NULL`
    const records = readingRecords(sql, "customers", "customer", customerOf, open)
    const moveOrders = movingOrders(sql)
    return tenantPort(StoreCustomers, {
      get: records.get,
      list: (organization, query, slice) => records.list(organization, conditionsOf(sql, query, slice.after), slice),
      idsOf: knownRefs<StoreCustomerId>(sql, "customers", open),
      lock: (organization, storeConnectionId, externalIds) =>
        records.lock(organization, storeConnectionId, "external_id", externalIds),
      put: Effect.fnUntraced(function* (organization, customers) {
        if (customers.length === 0) return
        const rows = customers.map((kept) => ({ ...customerRow(kept), search: searchForm(customerSearchText(kept)) }))
        yield* sql`
          INSERT INTO store_customers (organization_id, id, store_connection_id, external_id, name, phone, email, locale,
            tags, sms_consent, sms_consent_at, chat_consent, chat_consent_at, email_consent, contact_id, linked_by, conflict_contact_id, search,
            changed_at, closed_at, created_at, updated_at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid,
            "storeConnectionId" uuid, "externalId" text, name text, phone text, email text, locale text, tags json,
            "smsConsent" text, "smsConsentAt" timestamptz, "chatConsent" text, "chatConsentAt" timestamptz, "emailConsent" text, "contactId" uuid, "linkedBy" text,
            "conflictContactId" uuid, search text, "changedAt" timestamptz, "closedAt" timestamptz,
            "createdAt" timestamptz, "updatedAt" timestamptz)
          ON CONFLICT (organization_id, id) DO UPDATE SET name = excluded.name, phone = excluded.phone,
            email = excluded.email, locale = excluded.locale, tags = excluded.tags, sms_consent = excluded.sms_consent,
            sms_consent_at = excluded.sms_consent_at, chat_consent = excluded.chat_consent,
            chat_consent_at = excluded.chat_consent_at, email_consent = excluded.email_consent,
            contact_id = excluded.contact_id, linked_by = excluded.linked_by,
            conflict_contact_id = excluded.conflict_contact_id, search = excluded.search,
            changed_at = excluded.changed_at, closed_at = excluded.closed_at, updated_at = excluded.updated_at`
        yield* sql`
          UPDATE store_carts AS t SET contact_id = r."contactId", updated_at = greatest(t.updated_at, r."updatedAt")
          FROM json_to_recordset(${PgTypes.json(rows)}) AS r ("storeConnectionId" uuid, "externalId" text,
            "contactId" uuid, "updatedAt" timestamptz)
          WHERE t.organization_id = ${organization.id} AND t.store_connection_id = r."storeConnectionId"
            AND t.external_customer_id = r."externalId" AND t.contact_id IS DISTINCT FROM r."contactId"`
        yield* moveOrders(organization.id, rows)
      })
    })
  })
)
