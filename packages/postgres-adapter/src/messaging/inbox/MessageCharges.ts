import { PgTypes } from "@effect/sql-pg"
import {
  chargeRank,
  type ChargeSelection,
  type ChargeTally,
  type MessageCharge,
  MessageCharges,
  type ResourceChargeTally
} from "@parley/domain/messaging"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { chargeFacts } from "./chargeFacts.ts"

const toRecord = (charge: MessageCharge) => ({
  account: charge.chatAccountId,
  provider_id: charge.providerMessageId,
  message_id: charge.messageId,
  country: charge.country,
  category: charge.category,
  type: charge.type,
  billable: charge.billable,
  delivered_at: DateTime.formatIso(charge.deliveredAt),
  priced_at: DateTime.formatIso(charge.pricedAt),
  rank: chargeRank(charge)
})

export const layer = Layer.effect(
  MessageCharges,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const matches = (id: string, selection: ChargeSelection) => {
      switch (selection.kind) {
        case "period":
          return sql`c.delivered_at >= ${stamp(selection.from)} AND c.delivered_at < ${stamp(selection.to)}
            ${selection.chatAccountId === null ? sql`` : sql`AND c.chat_account_id = ${selection.chatAccountId}`}`
        case "messages":
          return sql`c.message_id BETWEEN ${selection.first} AND ${selection.last}`
        case "conversation":
          return sql`c.message_id IN (SELECT m.id FROM messages AS m
            WHERE m.organization_id = ${id} AND m.conversation_id = ${selection.conversationId})`
      }
    }

    return tenantPort(MessageCharges, {
      record: Effect.fnUntraced(function* ({ id }, charges) {
        if (charges.length === 0) return
        // A fixed order of the rows prevents deadlocks. The newer pricing replaces the older one as a whole.
        yield* sql`
          INSERT INTO message_charges AS c (organization_id, chat_account_id, provider_message_digest, message_id, country,
            category, type, billable, delivered_at, priced_at, rank)
          SELECT ${id}, t.account, sha256(convert_to(t.provider_id, 'UTF8')), t.message_id, t.country, t.category, t.type,
            t.billable, t.delivered_at, t.priced_at, t.rank
          FROM json_to_recordset(${PgTypes.json(charges.map(toRecord))}) AS t (account uuid, provider_id text,
            message_id uuid, country text, category text, type text, billable boolean, delivered_at timestamptz,
            priced_at timestamptz, rank text)
          ORDER BY 2, 3
          ON CONFLICT (organization_id, chat_account_id, provider_message_digest) DO UPDATE SET
            message_id = least(c.message_id, excluded.message_id),
            country = least(c.country, excluded.country),
            delivered_at = least(c.delivered_at, excluded.delivered_at),
            (category, type, billable, priced_at, rank) = (
              SELECT n.category, n.type, n.billable, n.priced_at, n.rank FROM (VALUES
                (c.category, c.type, c.billable, c.priced_at, c.rank),
                (excluded.category, excluded.type, excluded.billable, excluded.priced_at, excluded.rank)
              ) AS n (category, type, billable, priced_at, rank)
              ORDER BY n.priced_at DESC, n.rank COLLATE "C" DESC LIMIT 1)`
      }),
      tally: Effect.fnUntraced(function* ({ id }, selection, starts) {
        const range = sql`width_bucket(c.delivered_at, ${starts.map(DateTime.formatIso)}::timestamptz[]) - 1`
        return yield* sql<ChargeTally>`
          SELECT ${starts.length === 0 ? sql`-1` : range} AS range, ${sql.literal(chargeFacts)}, count(*)::integer AS messages
          FROM message_charges AS c WHERE c.organization_id = ${id} AND ${matches(id, selection)}
          GROUP BY 1, 2, 3, 4, 5, 6, 7`
      }),
      tallyEach: Effect.fnUntraced(function* ({ id }, { ids, kind }) {
        if (ids.length === 0) return []
        const wanted = sql`${Array.from<string>(ids)}::uuid[]`
        const [resource, source] =
          kind === "messages"
            ? [
                sql`c.message_id`,
                sql`message_charges AS c WHERE c.organization_id = ${id} AND c.message_id = ANY(${wanted})`
              ]
            : [
                sql`m.conversation_id`,
                sql`messages AS m JOIN message_charges AS c ON c.organization_id = ${id} AND c.message_id = m.id
                  WHERE m.organization_id = ${id} AND m.conversation_id = ANY(${wanted})`
              ]
        return yield* sql<ResourceChargeTally>`
          SELECT ${resource} AS "resourceId", ${sql.literal(chargeFacts)}, count(*)::integer AS messages
          FROM ${source} GROUP BY 1, 2, 3, 4, 5, 6, 7`
      })
    })
  })
)
