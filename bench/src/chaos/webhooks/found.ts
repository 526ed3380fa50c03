import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ConnectedLine } from "../../chat/provider.ts"
import type { Outcome } from "./expected.ts"

type Entries = Array<readonly [key: string, value: unknown]>

/** Stored data of the service; a duplicate key appears twice. */
export type Found = { readonly [Part in Exclude<keyof Outcome, "counts">]: Entries } & {
  readonly contactCounts: ReadonlyMap<string, number>
}

/** Reads all stored data in the form of the expectation. */
export const readFound = Effect.fnUntraced(function* (lines: ReadonlyArray<ConnectedLine>) {
  const sql = yield* SqlClient.SqlClient
  const seconds = (expression: string) => sql.literal(`extract(epoch FROM ${expression})::double precision`)
  const found = { contacts: [], conversations: [], inbound: [], outbound: [], strays: [] } as Record<
    Exclude<keyof Outcome, "counts">,
    Entries
  >
  const phoneIds = new Map(lines.map(({ chatAccountId, phoneId }) => [chatAccountId, phoneId]))
  const contactCounts = new Map<string, number>()
  for (const organization of new Set(lines.map(({ organizationId }) => organizationId))) {
    const contacts = yield* sql<{
      readonly id: string
      readonly phone: string | null
      readonly chatUser: string | null
      readonly identities: ReadonlyArray<string>
      readonly name: string | null
      readonly marketing: string
      readonly consentAt: number | null
      readonly lastInboundAt: number | null
      readonly isBlocked: boolean
    }>`
      SELECT id, phone, name, marketing, ${seconds("consent_changed_at")} AS "consentAt",
        ${seconds("last_inbound_at")} AS "lastInboundAt", blocked_at IS NOT NULL AS "isBlocked",
        (SELECT i.key FROM contact_identities AS i WHERE i.organization_id = c.organization_id
          AND i.contact_id = c.id AND i.kind = 'chat_user' LIMIT 1) AS "chatUser",
        ARRAY(SELECT (i.kind || ' ' || i.key) COLLATE "C" FROM contact_identities AS i
          WHERE i.organization_id = c.organization_id AND i.contact_id = c.id ORDER BY 1) AS identities
      FROM contacts AS c WHERE organization_id = ${organization}`
    const people = new Map(
      contacts.map(({ chatUser, id, phone }) => [id, `${organization} ${phone ?? `user ${chatUser}`}`])
    )
    for (const { consentAt, id, identities, isBlocked, lastInboundAt, marketing, name } of contacts) {
      const value = { name, identities, marketing, consentAt, lastInboundAt, isBlocked }
      found.contacts.push([people.get(id) ?? id, value])
    }
    const conversations = yield* sql<{
      readonly id: string
      readonly contactId: string
      readonly chatAccountId: string
      readonly status: string
      readonly inbound: number
      readonly unread: number
      readonly last: string | null
      readonly lastInboundAt: number | null
      readonly windowEndsAt: number | null
    }>`
      SELECT id, contact_id AS "contactId", chat_account_id AS "chatAccountId", status, inbound_count AS inbound,
        inbound_count - read_count AS unread,
        extract(epoch FROM (last_message ->> 'at')::timestamptz)::bigint || ' ' || (last_message ->> 'text') AS last,
        ${seconds("last_inbound_at")} AS "lastInboundAt", ${seconds("window_expires_at")} AS "windowEndsAt"
      FROM conversations WHERE organization_id = ${organization}`
    const talks = new Map(
      conversations.map(({ chatAccountId, contactId, id }) => [
        id,
        `${phoneIds.get(chatAccountId)} ${people.get(contactId)}`
      ])
    )
    for (const { id, inbound, last, lastInboundAt, status, unread, windowEndsAt } of conversations) {
      found.conversations.push([talks.get(id) ?? id, { status, inbound, unread, last, lastInboundAt, windowEndsAt }])
    }
    const received = yield* sql<{
      readonly chatAccountId: string
      readonly providerId: string
      readonly conversationId: string
      readonly text: string | null
      readonly at: number
    }>`
      SELECT chat_account_id AS "chatAccountId", provider_message_id AS "providerId", conversation_id AS "conversationId",
        text, ${seconds("at")} AS at
      FROM messages WHERE organization_id = ${organization} AND direction = 'inbound'`
    for (const { at, chatAccountId, conversationId, providerId, text } of received) {
      const talk = talks.get(conversationId) ?? conversationId
      found.inbound.push([`${phoneIds.get(chatAccountId)} ${providerId}`, { talk, text, at }])
    }
    const sent = yield* sql<{ readonly id: string }>`
      SELECT id, provider_message_id AS "providerId", status, ${seconds("sent_at")} AS "sentAt",
        ${seconds("delivered_at")} AS "deliveredAt", ${seconds("read_at")} AS "readAt", ${seconds("failed_at")} AS "failedAt",
        error ->> 'code' AS error
      FROM messages WHERE organization_id = ${organization} AND direction = 'outbound'`
    for (const { id, ...value } of sent) found.outbound.push([id, value])
    // Repeated receipts for an unknown message can be stored several times. Their contents count.
    const early = yield* sql<{ readonly chatAccountId: string; readonly providerId: string }>`
      SELECT DISTINCT chat_account_id AS "chatAccountId", provider_message_id AS "providerId", status, ${seconds("at")} AS at
      FROM early_receipts WHERE organization_id = ${organization}`
    for (const { chatAccountId, providerId, ...value } of early) {
      found.strays.push([`${phoneIds.get(chatAccountId)} ${providerId}`, value])
    }
    const [counted] = yield* sql<{ readonly count: number }>`
      SELECT count FROM contact_counts WHERE organization_id = ${organization}`
    contactCounts.set(organization, counted?.count ?? 0)
  }
  return { ...found, contactCounts } satisfies Found
})
