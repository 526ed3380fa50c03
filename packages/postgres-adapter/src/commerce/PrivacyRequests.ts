import { NotFound, Timestamp } from "@parley/domain/kernel"
import { InboundDeliveryId } from "@parley/domain/platform"
import { DataSubject, type StoredPrivacyRequest, PrivacyRequest, PrivacyRequests } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"

const Row = Schema.Struct({
  ...PrivacyRequest.fields,
  deliveryId: InboundDeliveryId,
  asked: Schema.NullOr(DataSubject),
  toldDueAt: Schema.NullOr(Timestamp)
})

const decode = Schema.decodeUnknownSync(Row)

const keptOf = (row: unknown): StoredPrivacyRequest => {
  const { asked, deliveryId, toldDueAt, ...request } = decode(row)
  return { request: new PrivacyRequest(request), deliveryId, asked, toldDueAt }
}

const columns = `id, store_connection_id AS "storeConnectionId", kind, contact_id AS "contactId", state,
  received_at AS "receivedAt", due_at AS "dueAt", done_at AS "doneAt", reason, counts, created_at AS "createdAt",
  updated_at AS "updatedAt", delivery_id AS "deliveryId", subject AS asked, due_notified_at AS "toldDueAt"`

export const layer = Layer.effect(
  PrivacyRequests,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const where = Effect.fnUntraced(function* (
      organization: Organization,
      condition: Statement.Fragment,
      rest = sql``
    ) {
      const rows = yield* sql<{ readonly row: unknown }>`
        SELECT row_to_json(t) AS row FROM (
          SELECT ${sql.literal(columns)} FROM privacy_requests
          WHERE organization_id = ${organization.id} AND ${condition} ${rest}) AS t`
      return rows.map(({ row }) => keptOf(row))
    })

    return tenantPort(PrivacyRequests, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [kept] = yield* where(organization, sql`id = ${id}`)
        return kept ?? (yield* new NotFound({ resource: "privacy request" }))
      }),
      list: (organization, state, { after, limit }) =>
        where(
          organization,
          sql.and([
            sql`true`,
            ...(state === null ? [] : [sql`state = ${state}`]),
            ...(after === null ? [] : [sql`id < ${after[0]}::uuid`])
          ]),
          sql`ORDER BY id DESC LIMIT ${limit}`
        ),
      resting: (organization, state, before, limit) =>
        where(
          organization,
          sql`state = ${state} AND state IN ('open', 'ready') AND updated_at <= ${stamp(before)}`,
          sql`ORDER BY updated_at, id LIMIT ${limit}`
        ),
      due: (organization, by, limit) =>
        where(
          organization,
          sql`state IN ('open', 'ready') AND due_notified_at IS NULL AND due_at <= ${stamp(by)}`,
          sql`ORDER BY due_at, id LIMIT ${limit}`
        ),
      lock: (organization, id) =>
        Effect.map(where(organization, sql`id = ${id}`, sql`FOR UPDATE`), ([kept]) => kept ?? null),
      insert: Effect.fnUntraced(function* (organization, { asked, deliveryId, request, toldDueAt }) {
        const inserted = yield* sql`
          INSERT INTO privacy_requests (organization_id, id, store_connection_id, delivery_id, kind, contact_id, state,
            received_at, due_at, due_notified_at, done_at, reason, counts, subject, created_at, updated_at)
          VALUES (${organization.id}, ${request.id}, ${request.storeConnectionId}, ${deliveryId}, ${request.kind},
            ${request.contactId}, ${request.state}, ${stamp(request.receivedAt)}, ${stamp(request.dueAt)},
            ${stamp(toldDueAt)}, ${stamp(request.doneAt)}, ${request.reason}, ${PgTypes.json(request.counts)},
            ${PgTypes.json(asked)}, ${stamp(request.createdAt)}, ${stamp(request.updatedAt)})
          ON CONFLICT ON CONSTRAINT privacy_requests_delivery DO NOTHING RETURNING 1`
        return inserted.length > 0
      }),
      save: Effect.fnUntraced(function* (organization, { asked, request, toldDueAt }) {
        yield* sql`
          UPDATE privacy_requests SET contact_id = ${request.contactId}, state = ${request.state},
            due_notified_at = ${stamp(toldDueAt)}, done_at = ${stamp(request.doneAt)}, reason = ${request.reason},
            counts = ${PgTypes.json(request.counts)}, subject = ${PgTypes.json(asked)},
            updated_at = ${stamp(request.updatedAt)}
          WHERE organization_id = ${organization.id} AND id = ${request.id}`
      })
    })
  })
)
