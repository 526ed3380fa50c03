import { PgTypes } from "@effect/sql-pg"
import { normalizeForSearch, NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import {
  Automation,
  type AutomationAction,
  type AutomationDefinition,
  type AutomationId,
  Automations,
  type ConditionInput,
  definitionOf,
  type EnabledAutomation,
  type AutomationDisabledReason,
  referencesInDefinition,
  toReferenceKey,
  type Trigger
} from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { containing } from "../../crm/searchSql.ts"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { keysetOrder } from "../../kernel/keysetOrder.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface DefinitionRow {
  readonly when: Trigger | null
  readonly if: ConditionInput
  readonly then: ReadonlyArray<AutomationAction>
}

interface Row extends DefinitionRow {
  readonly id: AutomationId
  readonly name: string
  readonly enabled: boolean
  readonly disabledReason: AutomationDisabledReason | null
  readonly position: number
  readonly enabledAfter: bigint
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

interface EnabledRow extends Omit<EnabledAutomation, "enabledAfter"> {
  readonly enabledAfter: bigint
}

const automationOf = (row: Row) =>
  new Automation(
    {
      ...row,
      enabledAfter: Number(row.enabledAfter),
      createdAt: utc(row.createdAt),
      updatedAt: utc(row.updatedAt)
    },
    asWritten
  )

const sortColumns = {
  createdAt: null,
  updatedAt: { name: "updated_at", type: "timestamptz" },
  name: { name: "name_key", type: "text" },
  position: { name: "position", type: "integer" }
} as const

const notFound = () => new NotFound({ resource: "automation" })

export const layer = Layer.effect(
  Automations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const definitionColumns = `trigger AS "when", condition AS "if", actions AS "then"`
    const columns = sql.literal(`id, name, enabled, disabled_reason AS "disabledReason", position, ${definitionColumns},
      enabled_after_position AS "enabledAfter", created_at AS "createdAt", updated_at AS "updatedAt", version`)

    const conflict = Effect.fnUntraced(function* (organizationId: OrganizationId, id: AutomationId) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM automations WHERE organization_id = ${organizationId} AND id = ${id}`
      return yield* row === undefined ? notFound() : new VersionConflict({ current: row.version })
    })

    const ifVersion = (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`)

    /** Stores a version if it differs from the previous one. */
    const keepVersion = Effect.fnUntraced(function* (organizationId: OrganizationId, automation: Automation) {
      const { id, if: condition, then, version, when } = automation
      yield* sql`
        INSERT INTO automation_versions (organization_id, automation_id, version, trigger, condition, actions)
        SELECT ${organizationId}::uuid, ${id}::uuid, ${version}::int, input.trigger, input.condition, input.actions
        FROM (SELECT ${when === null ? null : PgTypes.json(when)}::json AS trigger, ${PgTypes.json(condition)}::json AS condition,
          ${PgTypes.json(then)}::json AS actions) AS input
        WHERE NOT EXISTS (
          SELECT FROM (
            SELECT trigger, condition, actions FROM automation_versions
            WHERE organization_id = ${organizationId} AND automation_id = ${id} ORDER BY version DESC LIMIT 1) AS last
          WHERE last.trigger::text IS NOT DISTINCT FROM input.trigger::text
            AND last.condition::text = input.condition::text AND last.actions::text = input.actions::text)`
    })

    const typesIn = ({ then }: Automation) => then.map(({ type }) => type)

    const namedIn = (automation: Automation) => [...referencesInDefinition(definitionOf(automation))]

    return tenantPort(Automations, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM automations WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : automationOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, { event, q, sort, status }, { after, limit }) {
        const page = keysetOrder(sql, sortColumns, sort, after)
        const conditions = sql.and([
          sql`organization_id = ${organization.id}`,
          ...(q === null ? [] : [sql`name_key LIKE ${containing(normalizeForSearch(q))}`]),
          ...(status === null ? [] : [sql`enabled = ${status === "enabled"}`]),
          ...(event === null ? [] : [sql`trigger_event = ${event}`]),
          ...page.after
        ])
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM automations WHERE ${conditions} ORDER BY ${page.order} LIMIT ${limit}`
        return rows.map(automationOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: bigint }>`
          SELECT count(*) AS count FROM automations WHERE organization_id = ${organization.id}`
        return Number(row?.count ?? 0)
      }),
      enabledOn: Effect.fnUntraced(function* (organization, event) {
        const rows = yield* sql<EnabledRow>`
          SELECT id, position, version, enabled_after_position AS "enabledAfter", trigger AS "when", action_types AS actions
          FROM automations
          WHERE organization_id = ${organization.id} AND trigger_event = ${event} AND enabled
          ORDER BY position, id`
        return rows.map((row) => ({ ...row, enabledAfter: Number(row.enabledAfter) }))
      }),
      definition: Effect.fnUntraced(function* (organization, id, version) {
        const [row] = yield* sql<AutomationDefinition>`
          SELECT ${sql.literal(definitionColumns)} FROM automation_versions
          WHERE organization_id = ${organization.id} AND automation_id = ${id} AND version <= ${version}
          ORDER BY version DESC LIMIT 1`
        return row ?? null
      }),
      naming: Effect.fnUntraced(function* (organization, field, id) {
        const rows = yield* sql<{ readonly id: AutomationId }>`
          SELECT id FROM automations
          WHERE organization_id = ${organization.id} AND ${toReferenceKey(field, id)} = ANY(dependencies)
          ORDER BY id LIMIT 10`
        return rows.map((row) => row.id)
      }),
      insert: Effect.fnUntraced(function* (organization, automation) {
        const {
          createdAt,
          disabledReason,
          enabled,
          enabledAfter,
          id,
          if: condition,
          name,
          position,
          then,
          updatedAt,
          version,
          when
        } = automation
        yield* sql`
          INSERT INTO automations (organization_id, id, name, name_key, enabled, disabled_reason, position, trigger, trigger_event,
            condition, actions, action_types, dependencies, enabled_after_position, created_at, updated_at, version)
          VALUES (${organization.id}, ${id}, ${name}, ${normalizeForSearch(name)}, ${enabled}, ${disabledReason}, ${position},
            ${when === null ? null : PgTypes.json(when)}, ${when?.event ?? null}, ${PgTypes.json(condition)},
            ${PgTypes.json(then)}, ${typesIn(automation)}::text[], ${namedIn(automation)}::text[], ${enabledAfter}, ${stamp(createdAt)}, ${stamp(updatedAt)}, ${version})`
        yield* keepVersion(organization.id, automation)
      }),
      save: Effect.fnUntraced(function* (organization, automation, expected) {
        const { disabledReason, enabled, enabledAfter, id, if: condition, name, then, updatedAt, when } = automation
        const [row] = yield* sql<Row>`
          UPDATE automations SET name = ${name}, name_key = ${normalizeForSearch(name)}, enabled = ${enabled}, disabled_reason = ${disabledReason},
            trigger = ${when === null ? null : PgTypes.json(when)}, trigger_event = ${when?.event ?? null},
            condition = ${PgTypes.json(condition)}, actions = ${PgTypes.json(then)},
            action_types = ${typesIn(automation)}::text[], dependencies = ${namedIn(automation)}::text[], enabled_after_position = ${enabledAfter},
            updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        if (row === undefined) return yield* conflict(organization.id, id)
        const saved = automationOf(row)
        yield* keepVersion(organization.id, saved)
        return saved
      }),
      move: Effect.fnUntraced(function* (organization, from, to) {
        if (from === to) return
        const step = from < to ? -1 : 1
        yield* sql`
          UPDATE automations SET position = CASE WHEN position = ${from}::int THEN ${to}::int ELSE position + ${step}::int END
          WHERE organization_id = ${organization.id}
            AND position BETWEEN ${Math.min(from, to)}::int AND ${Math.max(from, to)}::int`
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM automations WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
