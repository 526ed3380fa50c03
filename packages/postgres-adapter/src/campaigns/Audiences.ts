import type { ContactId } from "@parley/domain/crm"
import { type AudiencePlan, Audiences, type EarlierBroadcast } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { contactColumns, contactOf, type ContactRow } from "../crm/contactRow.ts"
import { stamp } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"
import { audienceContacts } from "./audienceContacts.ts"
import { audienceCounts } from "./audienceCounts.ts"
import { audienceSlices } from "./audienceSlices.ts"
import { audienceSnapshots } from "./audienceSnapshots.ts"
import { addressOf, type Judged, outcomeOf } from "./judgedContact.ts"

export const layer = Layer.effect(
  Audiences,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const { inOrder, judgedSql, live, timed } = audienceContacts(sql)

    const judge = Effect.fnUntraced(function* (organization: Organization, plan: AudiencePlan, id: ContactId) {
      const one: AudiencePlan = {
        ...plan,
        audience: { kind: "all", of: [plan.audience, { kind: "oneOf", ids: [id] }] }
      }
      const { source } = yield* timed(plan, live(organization.id, one))
      const [row] = yield* sql<Judged>`${judgedSql(organization.id, one, source)}`.unprepared
      return row ?? null
    })

    return tenantPort(Audiences, {
      ...audienceCounts(sql),
      ...audienceSnapshots(sql),
      ...audienceSlices(sql),
      earlier: Effect.fnUntraced(function* (organization, since) {
        return yield* sql<EarlierBroadcast>`
          SELECT b.id, CASE WHEN EXISTS (
              SELECT FROM message_templates AS t
              WHERE t.organization_id = ${organization.id} AND t.category = 'marketing' AND (t.id = b.template_id
                OR t.id IN (SELECT (v ->> 'templateId')::uuid FROM json_array_elements(
                  CASE json_typeof(b.variants) WHEN 'array' THEN b.variants ELSE '[]' END) AS v))
            ) THEN 'marketing' ELSE 'utility' END AS category
          FROM broadcasts AS b
          WHERE b.organization_id = ${organization.id} AND b.started_at IS NOT NULL
            AND (b.ended_at IS NULL OR b.ended_at >= ${stamp(since)})
          ORDER BY b.id`
      }),
      sample: Effect.fnUntraced(function* (organization, plan, limit) {
        const found = yield* sql<Judged>`
          SELECT * FROM (${judgedSql(organization.id, plan, inOrder(organization.id, plan))}) AS j
          WHERE j.reason IS NULL LIMIT ${limit}`.unprepared
        const ids = found.map(({ id }) => id)
        const rows = yield* sql<ContactRow>`
          SELECT ${contactColumns(sql, organization.id)} FROM contacts AS c
          WHERE c.organization_id = ${organization.id} AND c.id = ANY(${ids}::uuid[])`
        const contacts = new Map(rows.map((row) => [row.id, contactOf(row)]))
        return found.flatMap(({ id, variant, way }) => {
          const contact = contacts.get(id)
          return contact === undefined || way === null ? [] : [{ contact, address: addressOf(way), variant }]
        })
      }),
      outcomeOf: Effect.fnUntraced(function* (organization, plan, id) {
        const row = yield* judge(organization, plan, id)
        return row === null ? ({ kind: "not_matched" } as const) : outcomeOf(row)
      })
    })
  })
)
