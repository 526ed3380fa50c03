import {
  MessageTemplate,
  MessageTemplateExists,
  type MessageTemplateId,
  MessageTemplates,
  type OrganizationId
} from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { versions } from "../../crm/versions.ts"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { isOneOf } from "../../kernel/isOneOf.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

type Row = Omit<MessageTemplate, "createdAt" | "updatedAt"> & {
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const templateOf = (row: Row): MessageTemplate =>
  new MessageTemplate({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

export const layer = Layer.effect(
  MessageTemplates,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns =
      sql.literal(`id, chat_account_id AS "chatAccountId", name, language, category, components, variables,
      status, rejection_reason AS "rejectionReason", quality, external_id AS "externalId", created_at AS "createdAt",
      updated_at AS "updatedAt", version`)
    // Templates of a removed number reappear when the number is connected again.
    const isShown = sql.literal(`EXISTS (SELECT FROM chat_accounts AS a
      WHERE a.organization_id = message_templates.organization_id AND a.id = message_templates.chat_account_id
        AND a.removed_at IS NULL)`)
    const { conflict, ifVersion, notFound } = versions(sql, "message_templates", "message template", isShown)

    const templatesWhere = Effect.fnUntraced(function* (organization: Organization, condition: Statement.Fragment) {
      const rows = yield* sql<Row>`
        SELECT ${columns} FROM message_templates
        WHERE organization_id = ${organization.id} AND ${condition} AND ${isShown} ORDER BY id`
      return rows.map(templateOf)
    })

    const taken = Effect.fnUntraced(function* (organizationId: OrganizationId, template: MessageTemplate) {
      const [row] = yield* sql<{ readonly id: MessageTemplateId }>`
        SELECT id FROM message_templates WHERE organization_id = ${organizationId}
          AND chat_account_id = ${template.chatAccountId} AND name = ${template.name} AND language = ${template.language}`
      return yield* row === undefined
        ? Effect.die(new Error("The message template was removed while its name was taken."))
        : new MessageTemplateExists({ messageTemplateId: row.id })
    })

    return tenantPort(MessageTemplates, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [template] = yield* templatesWhere(organization, sql`id = ${id}`)
        return template ?? (yield* notFound())
      }),
      find: (organization, ids) =>
        ids.length === 0 ? Effect.succeed([]) : templatesWhere(organization, isOneOf(sql, "id", ids)),
      list: Effect.fnUntraced(function* (organization, { chatAccountId, name, status }, { after, limit }) {
        const conditions = [sql`organization_id = ${organization.id}`, isShown]
        if (chatAccountId !== null) conditions.push(sql`chat_account_id = ${chatAccountId}`)
        if (status !== null) conditions.push(sql`status = ${status}`)
        if (name !== null) conditions.push(sql`starts_with(name, ${name})`)
        if (after !== null) {
          conditions.push(sql`(name, language, id) > (${after[0]}, ${after[1]}, ${after[2]}::uuid)`)
        }
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM message_templates WHERE ${sql.and(conditions)}
          ORDER BY name, language, id LIMIT ${limit}`
        return rows.map(templateOf)
      }),
      ofAccounts: (organization, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : templatesWhere(organization, sql`chat_account_id = ANY(${Array.from(ids)}::uuid[])`),
      insert: Effect.fnUntraced(function* (organization, template) {
        const inserted = yield* sql`
          INSERT INTO message_templates (organization_id, id, chat_account_id, name, language, category, components,
            variables, status, rejection_reason, quality, external_id, created_at, updated_at, version)
          VALUES (${organization.id}, ${template.id}, ${template.chatAccountId}, ${template.name}, ${template.language},
            ${template.category}, ${PgTypes.jsonb(template.components)}, ${PgTypes.jsonb(template.variables)},
            ${template.status}, ${template.rejectionReason}, ${template.quality}, ${template.externalId},
            ${stamp(template.createdAt)}, ${stamp(template.updatedAt)}, ${template.version})
          ON CONFLICT ON CONSTRAINT message_templates_name DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* taken(organization.id, template)
      }),
      save: Effect.fnUntraced(function* (organization, template, expected) {
        const [row] = yield* sql<Row>`
          UPDATE message_templates SET category = ${template.category}, components = ${PgTypes.jsonb(template.components)},
            variables = ${PgTypes.jsonb(template.variables)}, status = ${template.status},
            rejection_reason = ${template.rejectionReason}, quality = ${template.quality},
            external_id = ${template.externalId}, updated_at = ${stamp(template.updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${template.id} AND ${isShown} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, template.id) : templateOf(row)
      }),
      lease: Effect.fnUntraced(function* (organization, id, now, until) {
        const held = yield* sql`
          UPDATE message_templates SET held_until = ${stamp(until)}
          WHERE organization_id = ${organization.id} AND id = ${id} AND (held_until IS NULL OR held_until <= ${stamp(now)})
          RETURNING 1`
        return held.length > 0
      }),
      release: Effect.fnUntraced(function* (organization, id) {
        yield* sql`
          UPDATE message_templates SET held_until = NULL WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      isLeased: Effect.fnUntraced(function* (organization, id, now) {
        const held = yield* sql`
          SELECT 1 FROM message_templates
          WHERE organization_id = ${organization.id} AND id = ${id} AND held_until > ${stamp(now)}`
        return held.length > 0
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM message_templates
          WHERE organization_id = ${organization.id} AND id = ${id} AND ${isShown} ${ifVersion(expected)} RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
