import type { OrganizationId } from "@parley/domain/kernel"
import {
  MessageTemplate,
  MessageTemplateExists,
  type MessageTemplateId,
  MessageTemplates
} from "@parley/domain/messaging"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { versions } from "../../crm/versions.ts"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { isOneOf } from "../../kernel/isOneOf.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"

type Times = "statusUntil" | "qualityAt" | "categoryChangesAt"

type Row = Omit<MessageTemplate, "createdAt" | "updatedAt" | "editTimes" | Times> & {
  readonly [Name in Times]: Instant | null
} & {
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Milliseconds since 1970. */
  readonly editTimes: ReadonlyArray<number>
}

const templateOf = (row: Row): MessageTemplate =>
  new MessageTemplate(
    {
      ...row,
      statusUntil: utcOrNull(row.statusUntil),
      qualityAt: utcOrNull(row.qualityAt),
      categoryChangesAt: utcOrNull(row.categoryChangesAt),
      editTimes: row.editTimes.map((millis) => DateTime.makeUnsafe(millis)),
      createdAt: utc(row.createdAt),
      updatedAt: utc(row.updatedAt)
    },
    asWritten
  )

const editMillis = ({ editTimes }: MessageTemplate) => PgTypes.jsonb(editTimes.map(DateTime.toEpochMillis))

export const layer = Layer.effect(
  MessageTemplates,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns =
      sql.literal(`id, chat_account_id AS "chatAccountId", name, language, category, components, variables,
      status, status_reason AS "statusReason", status_until AS "statusUntil", rejection_reason AS "rejectionReason",
      rejection_advice AS "rejectionAdvice", quality, quality_at AS "qualityAt", announced_category AS "announcedCategory",
      category_changes_at AS "categoryChangesAt", time_to_live AS "timeToLive", library_name AS "libraryName",
      edit_times AS "editTimes", external_id AS "externalId", created_at AS "createdAt", updated_at AS "updatedAt", version`)
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
            variables, status, status_reason, status_until, rejection_reason, rejection_advice, quality, quality_at,
            announced_category, category_changes_at, time_to_live, library_name, edit_times, external_id, created_at,
            updated_at, version)
          VALUES (${organization.id}, ${template.id}, ${template.chatAccountId}, ${template.name}, ${template.language},
            ${template.category}, ${PgTypes.jsonb(template.components)}, ${PgTypes.jsonb(template.variables)},
            ${template.status}, ${template.statusReason}, ${stamp(template.statusUntil)}, ${template.rejectionReason},
            ${template.rejectionAdvice}, ${template.quality}, ${stamp(template.qualityAt)}, ${template.announcedCategory},
            ${stamp(template.categoryChangesAt)}, ${template.timeToLive}, ${template.libraryName},
            ${editMillis(template)}, ${template.externalId},
            ${stamp(template.createdAt)}, ${stamp(template.updatedAt)}, ${template.version})
          ON CONFLICT ON CONSTRAINT message_templates_name DO NOTHING RETURNING 1`
        if (inserted.length === 0) return yield* taken(organization.id, template)
      }),
      save: Effect.fnUntraced(function* (organization, template, expected) {
        const [row] = yield* sql<Row>`
          UPDATE message_templates SET category = ${template.category}, components = ${PgTypes.jsonb(template.components)},
            variables = ${PgTypes.jsonb(template.variables)}, status = ${template.status},
            status_reason = ${template.statusReason}, status_until = ${stamp(template.statusUntil)},
            rejection_reason = ${template.rejectionReason}, rejection_advice = ${template.rejectionAdvice},
            quality = ${template.quality}, quality_at = ${stamp(template.qualityAt)},
            announced_category = ${template.announcedCategory},
            category_changes_at = ${stamp(template.categoryChangesAt)}, time_to_live = ${template.timeToLive},
            library_name = ${template.libraryName}, edit_times = ${editMillis(template)},
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
