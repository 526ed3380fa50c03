import type { Role, UserId } from "@parley/domain/kernel"
import { Availability, type MemberId } from "@parley/domain/platform"
import { type Workload, Workloads } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly memberId: MemberId
  readonly userId: UserId
  readonly role: Role
  readonly status: Availability["status"]
  readonly capacity: number
  readonly open: number
  readonly lastAssignedAt: Instant | null
}

const workloadOf = ({ capacity, lastAssignedAt, status, ...row }: Row): Workload => ({
  ...row,
  availability: new Availability({ status, capacity }, asWritten),
  lastAssignedAt: utcOrNull(lastAssignedAt)
})

export const layer = Layer.effect(
  Workloads,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(Workloads, {
      all: Effect.fnUntraced(function* (organization) {
        const rows = yield* sql<Row>`
          SELECT m.id AS "memberId", m.user_id AS "userId", m.role, m.availability AS status, m.capacity,
            (SELECT count(*)::integer FROM conversations AS c
              WHERE c.organization_id = ${organization.id} AND c.assignee_id = m.user_id AND c.status = 'open') AS open,
            t.assigned_at AS "lastAssignedAt"
          FROM members AS m
          JOIN users AS u ON u.id = m.user_id AND u.status = 'active'
          LEFT JOIN member_assignment_turns AS t ON t.organization_id = ${organization.id} AND t.user_id = m.user_id
          WHERE m.organization_id = ${organization.id} AND m.status = 'active'`
        return rows.map(workloadOf)
      }),
      lastOf: Effect.fnUntraced(function* (organization, contactId) {
        const [row] = yield* sql<{ readonly userId: UserId }>`
          SELECT assignee_id AS "userId" FROM conversations
          WHERE organization_id = ${organization.id} AND contact_id = ${contactId} AND assignee_id IS NOT NULL
          ORDER BY last_activity_at DESC, id DESC LIMIT 1`
        return row?.userId ?? null
      }),
      recordAssigned: Effect.fnUntraced(function* (organization, userIds, now) {
        yield* sql`
          INSERT INTO member_assignment_turns (organization_id, user_id, assigned_at)
          SELECT ${organization.id}::uuid, user_id, ${stamp(now)} FROM unnest(${Array.from(userIds)}::uuid[]) AS user_id
          ORDER BY user_id
          ON CONFLICT (organization_id, user_id) DO UPDATE SET assigned_at = greatest(member_assignment_turns.assigned_at, excluded.assigned_at)`
      }),
      forget: Effect.fnUntraced(function* (organization, userId) {
        yield* sql`DELETE FROM member_assignment_turns WHERE organization_id = ${organization.id} AND user_id = ${userId}`
      })
    })
  )
)
