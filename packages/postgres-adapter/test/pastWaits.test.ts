import { assert, describe, it } from "@effect/vitest"
import { Database, Migrations } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../src/migrations/index.ts"

const on = (url: Redacted.Redacted) => Effect.provide(Database.layer({ url, maxConnections: 2 }))

const emptied = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`DROP SCHEMA public CASCADE`
    yield* sql`CREATE SCHEMA public`
  }).pipe(on(url))
  return url
})

const older = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "waits")
)

describe("the migration of waits", () => {
  it.effect("finds out who waited until now, what answers ended, and the stretches of conversations", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(older).pipe(on(url))
      const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
      const at = (minute: number) => `2026-03-10T12:${String(minute).padStart(2, "0")}:00Z`
      const organization = uuid(1)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${organization}, 'Bakery', 'bakery', 'free', 'UTC', 'en', 'EUR', 'active', ${at(0)}, 1)`
        yield* sql`
          INSERT INTO contacts (organization_id, id, name_key, identities, attributes, tags, marketing, created_at,
            updated_at, version, search)
          VALUES (${organization}, ${uuid(2)}, '', '[]', '{}', '{}', 'unknown', ${at(0)}, ${at(0)}, 1, '')`
        let position = 0
        const event = (type: string, minute: number, data: object, actor: string) => sql`
          INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, at)
          VALUES (${organization}, ${(position += 1)}, ${type}, ${JSON.stringify(data)}::text::jsonb, ${actor}, 'somebody',
            ${at(minute)})`
        const conversation = (id: number, status: string, account: number) => sql`
          INSERT INTO conversations (organization_id, id, contact_id, chat_account_id, status, priority, labels,
            inbound_count, read_count, last_activity_at, created_at, updated_at, version)
          VALUES (${organization}, ${uuid(id)}, ${uuid(2)}, ${uuid(account)}, ${status}, 'none', '{}', 1, 0, ${at(0)},
            ${at(0)}, ${at(0)}, 1)`
        const message = (id: number, of: number, author: string, minute: number, kind = "text") => {
          const isInbound = author === "contact"
          const sent = isInbound ? null : at(minute)
          return sql`
            INSERT INTO messages (organization_id, id, conversation_id, chat_account_id, direction, kind, author_kind,
              author_id, status, at, sent_at, created_at, words)
            VALUES (${organization}, ${uuid(id)}, ${uuid(of)}, ${uuid(3)}, ${isInbound ? "inbound" : "outbound"}, ${kind},
              ${author}, 'somebody', ${isInbound ? "received" : "sent"}, ${at(minute)}, ${sent}, ${at(minute)}, '')`
        }
        const opened = (of: number, minute: number, actor: string) =>
          event("conversation.opened", minute, { conversationId: uuid(of) }, actor)
        const moved = (of: number, from: string, to: string, minute: number, actor: string) =>
          event("conversation.status_changed", minute, { conversationId: uuid(of), from, to }, actor)
        const received = (of: number, id: number, minute: number) =>
          event("message.received", minute, { conversationId: uuid(of), messageId: uuid(id) }, "system")
        const trail = (of: number, from: string, to: string, minute: number) => sql`
          INSERT INTO audit_events (organization_id, id, actor_kind, actor_id, action, target_kind, target_id, before, after, at)
          VALUES (${organization}, gen_random_uuid(), 'user', 'somebody', 'conversation.updated', 'conversation', ${uuid(of)},
            ${JSON.stringify({ status: from })}::text::jsonb, ${JSON.stringify({ status: to })}::text::jsonb, ${at(minute)})`

        // Answered by a machine, then by a person, resolved, opened again by the contact, who waits.
        yield* conversation(10, "open", 3)
        yield* opened(10, 1, "system")
        yield* message(20, 10, "contact", 1)
        yield* received(10, 20, 1)
        yield* message(21, 10, "automation", 2)
        yield* message(22, 10, "contact", 3)
        yield* received(10, 22, 3)
        yield* message(23, 10, "user", 5)
        yield* message(24, 10, "user", 6)
        yield* moved(10, "open", "resolved", 7, "user")
        yield* trail(10, "open", "resolved", 7)
        yield* message(25, 10, "contact", 9)
        yield* moved(10, "resolved", "open", 10, "system")
        yield* received(10, 25, 10)
        yield* message(26, 10, "contact", 11, "reaction")
        yield* received(10, 26, 11)

        // Begun by a contact who was blocked then, opened by hand, and resolved by a merge, which is no move.
        yield* conversation(11, "resolved", 4)
        yield* opened(11, 1, "system")
        yield* message(30, 11, "contact", 1)
        yield* moved(11, "resolved", "open", 20, "user")
        yield* trail(11, "resolved", "open", 20)
        yield* moved(11, "open", "resolved", 30, "user")

        // Nothing but a notice of the provider.
        yield* conversation(12, "resolved", 5)
        yield* opened(12, 1, "system")

        // Deleted while it was open.
        yield* opened(13, 1, "system")

        yield* Migrations.migrate
        const conversations = yield* sql`
          SELECT waiting_since = ${at(9)} AS "isWaiting", first_replied_at = ${at(5)} AS "isReplied", first_reply_id AS first,
            wait_round AS round, stretch, to_char(stretch_started_at AT TIME ZONE 'UTC', 'MI') AS started,
            to_char(stretch_resolved_at AT TIME ZONE 'UTC', 'MI') AS resolved, stretch_resolver_kind AS by
          FROM conversations ORDER BY id`
        assert.deepStrictEqual(conversations, [
          {
            isWaiting: true,
            isReplied: true,
            first: uuid(23),
            round: 1,
            stretch: 2,
            started: "09",
            resolved: null,
            by: null
          },
          {
            isWaiting: null,
            isReplied: null,
            first: null,
            round: 1,
            stretch: 1,
            started: "20",
            resolved: null,
            by: null
          },
          {
            isWaiting: null,
            isReplied: null,
            first: null,
            round: 0,
            stretch: null,
            started: null,
            resolved: null,
            by: null
          }
        ])
        assert.deepStrictEqual(
          yield* sql`
            SELECT stretch, to_char(started_at AT TIME ZONE 'UTC', 'MI') AS started,
              to_char(resolved_at AT TIME ZONE 'UTC', 'MI') AS resolved, resolver_kind AS by FROM past_stretches`,
          [{ stretch: 1, started: "01", resolved: "07", by: "user" }]
        )
        assert.deepStrictEqual(
          yield* sql`
            SELECT id, to_char(ended_wait_since AT TIME ZONE 'UTC', 'MI') AS since, wait_round AS round FROM messages
            WHERE wait_round IS NOT NULL ORDER BY id`,
          [
            { id: uuid(23), since: "01", round: 0 },
            { id: uuid(24), since: null, round: 0 }
          ]
        )
        assert.deepStrictEqual(
          yield* sql`
            SELECT right(data ->> 'conversationId', 2) AS of, data ->> 'status' AS status, data ->> 'awaits' AS awaits,
              right(data ->> 'chatAccountId', 1) AS over
            FROM events WHERE data ?| ARRAY['status', 'awaits', 'chatAccountId'] ORDER BY position`,
          [
            { of: "10", status: null, awaits: null, over: "3" },
            { of: "10", status: null, awaits: null, over: "3" },
            { of: "10", status: null, awaits: null, over: "3" },
            { of: "10", status: null, awaits: "begins", over: "3" },
            { of: "11", status: "resolved", awaits: null, over: "4" },
            { of: "11", status: null, awaits: null, over: "4" },
            { of: "11", status: null, awaits: null, over: "4" },
            { of: "12", status: "resolved", awaits: null, over: "5" }
          ]
        )
        assert.deepStrictEqual(yield* sql`SELECT figure, amount FROM analytics_erased`, [
          { figure: "conversations.open", amount: -1n }
        ])
      }).pipe(on(url))
    })
  )
})
