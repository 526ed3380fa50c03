import { assert, describe, layer } from "@effect/vitest"
import { type MessageQuery, Messages } from "@parley/domain/messaging"
import { layerAreas } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenConversation, givenOrganization, TestKit, TestSecurity } from "@parley/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const count = 12_000

const idOf = (place: number) => `01990000-0000-7000-8000-${place.toString(16).padStart(12, "0")}`

/** Every nth place, the last one first. */
const each = (step: number) => Array.from({ length: count / step }, (_, at) => count - at * step)

describe("a search of many messages", () => {
  layer(
    Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
      Layer.provideMerge(Postgres.layer),
      Layer.provideMerge(layerServer)
    ),
    { timeout: "60 seconds" }
  )("is bounded", (it) => {
    it.effect(
      "and finds all common, rare and old messages, once and in order",
      () =>
        Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const { chatAccountId, id } = yield* givenConversation(organization)
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            INSERT INTO messages (organization_id, id, conversation_id, chat_account_id, direction, kind, author_kind,
              author_id, status, at, created_at, words)
            SELECT ${organization.id}, ('01990000-0000-7000-8000-' || lpad(to_hex(place), 12, '0'))::uuid, ${id}, ${chatAccountId},
              'inbound', 'text', 'contact', 'somebody', 'received', now(), now(),
              array_to_tsvector(ARRAY['all', CASE WHEN place % 50 = 0 THEN 'some' ELSE 'other' END,
                CASE WHEN place % 3000 = 0 THEN 'rare' ELSE 'usual' END, CASE WHEN place <= 30 THEN 'old' ELSE 'new' END])
            FROM generate_series(1, ${count}::integer) AS place`
          const found = Effect.fnUntraced(function* (word: string, limit: number) {
            const port = yield* Messages
            const query: MessageQuery = {
              words: [word],
              conversationId: null,
              contactId: null,
              direction: null,
              from: null,
              to: null
            }
            const ids: Array<string> = []
            let after: ReadonlyArray<string> | null = null
            while (true) {
              const page: Effect.Success<ReturnType<typeof port.search>> = yield* port.search(query, { limit, after })
              ids.push(...page.rows.map(({ message }) => message.id))
              const last = page.rows.at(-1)
              if (page.resume === null && (page.rows.length < limit || last === undefined)) return ids
              after = page.resume ?? [last?.message.id ?? ""]
            }
          })
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* found("rare", 3), each(3_000).map(idOf))
            assert.deepStrictEqual(yield* found("some", 100), each(50).map(idOf))
            assert.deepStrictEqual(yield* found("old", 20), each(1).slice(-30).map(idOf))
          }).pipe(asOperatorOf(organization))
        }),
      60_000
    )
  })
})
