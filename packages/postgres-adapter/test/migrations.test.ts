import { assert, describe, it } from "@effect/vitest"
import { Database, Migrations } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Migration } from "../src/migrations/index.ts"
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

const step = (id: number, run: Migration["run"]): Migration => ({ id, name: `step ${id}`, run })

const table = (name: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.asVoid(sql`CREATE TABLE ${sql(name)} (id integer)`))

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
  return rows.map(({ name }) => name)
})

/** The steps that come before this one. */
const before = (name: string) =>
  migrations.slice(
    0,
    migrations.findIndex((step) => step.name === name)
  )

describe("migrations", () => {
  it.effect("run once when five nodes start at the same time", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const taken = yield* Effect.replicateEffect(Migrations.migrate.pipe(on(url)), 5, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        taken.map(({ length }) => length).toSorted((one, other) => one - other),
        [0, 0, 0, 0, migrations.length]
      )
      const { applied, isNewerThanCode, pending } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual(
        applied.map(({ id, name }) => ({ id, name })),
        migrations.map(({ id, name }) => ({ id, name }))
      )
      assert.deepStrictEqual([pending, isNewerThanCode], [[], false])
    })
  )

  it.effect("of an empty database are all pending, and telling so changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const { applied, pending } = yield* Migrations.status.pipe(on(url))
      assert.deepStrictEqual([applied.length, pending.length], [0, migrations.length])
      assert.deepStrictEqual(yield* tables.pipe(on(url)), [])
    })
  )

  it.effect("take only the steps that the database lacks", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const [one, two, three] = [step(1, table("one")), step(2, table("two")), step(3, table("three"))]
      yield* Migrations.apply([one]).pipe(on(url))
      const taken = yield* Migrations.apply([one, two, three]).pipe(on(url))
      assert.deepStrictEqual(
        taken.map(({ id }) => id),
        [2, 3]
      )
      assert.deepStrictEqual(yield* tables.pipe(on(url)), ["one", "parley_migrations", "three", "two"])
    })
  )

  it.effect("leave nothing of a run that fails", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const broken = [step(1, table("one")), step(2, table("one"))]
      const error = yield* Migrations.apply(broken).pipe(on(url), Effect.flip)
      assert.strictEqual(error._tag, "SqlError")
      assert.deepStrictEqual(yield* tables.pipe(on(url)), [])
    })
  )

  it.effect("find for what there is whom it was written to until now", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(before("recipients")).pipe(on(url))
      const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
      const at = "2026-03-10T12:00:00Z"
      const identities = [
        { kind: "external", value: "crm-1" },
        { kind: "chat_user", value: "DE.1" },
        { kind: "chat_user", value: "DE.2" }
      ]
      const people = [
        { phone: "+491701234567", identities: [{ kind: "phone", value: "+491701234567" }, ...identities] },
        { phone: null, identities },
        { phone: null, identities: identities.slice(0, 1) }
      ]
      const read = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${uuid(1)}, 'Bakery', 'bakery', 'free', 'UTC', 'en', 'EUR', 'active', ${at}, 1)`
        yield* sql`
          INSERT INTO chat_accounts (organization_id, id, provider, mode, display_name, external_account_id,
            external_phone_id, status, quality_rating, sealed_access_token, created_at, updated_at, version,
            templates_wanted_at)
          VALUES (${uuid(1)}, ${uuid(2)}, 'whatsapp', 'own_app', 'Bakery', 'business', 'number', 'connected', 'green',
            'sealed', ${at}, ${at}, 1, ${at})`
        for (const [index, { identities, phone }] of people.entries()) {
          yield* sql`
            INSERT INTO contacts (organization_id, id, name_key, phone, identities, attributes, tags, marketing, created_at,
              updated_at, version, search)
            VALUES (${uuid(1)}, ${uuid(10 + index)}, '', ${phone}, ${JSON.stringify(identities)}::text::jsonb, '{}', '{}',
              'unknown', ${at}, ${at}, 1, '')`
          yield* sql`
            INSERT INTO conversations (organization_id, id, contact_id, chat_account_id, status, priority, labels,
              inbound_count, read_count, last_inbound_at, last_activity_at, created_at, updated_at, version, snoozed_until)
            VALUES (${uuid(1)}, ${uuid(20 + index)}, ${uuid(10 + index)}, ${uuid(2)}, 'snoozed', 'none', '{}', 1, 0, ${at},
              ${at}, ${at}, ${at}, 1, ${at})`
          for (const [place, status] of ["queued", "sent"].entries()) {
            const id = uuid(30 + 2 * index + place)
            yield* sql`
              INSERT INTO messages (organization_id, id, conversation_id, chat_account_id, direction, kind, author_kind,
                author_id, status, at, created_at, words)
              VALUES (${uuid(1)}, ${id}, ${uuid(20 + index)}, ${uuid(2)}, 'outbound', 'text', 'user', 'somebody', ${status},
                ${at}, ${at}, '')`
            if (status === "sent") continue
            yield* sql`
              INSERT INTO sends (organization_id, message_id, conversation_id, chat_account_id, runnable_at)
              VALUES (${uuid(1)}, ${id}, ${uuid(20 + index)}, ${uuid(2)}, ${at})`
          }
        }
        yield* Migrations.migrate
        const conversations = yield* sql`SELECT recipient, recipient_at = ${at} AS "isSince", other_windows AS windows
          FROM conversations ORDER BY id`
        const messages = yield* sql`SELECT recipient FROM messages ORDER BY id`
        assert.deepStrictEqual(yield* sql`SELECT work, key, due_at <= now() AS "isDue" FROM work_lanes ORDER BY work`, [
          { work: "contact refolds", key: "all", isDue: true },
          { work: "message refolds", key: "all", isDue: true },
          { work: "sends", key: uuid(2), isDue: true },
          { work: "snoozes", key: "all", isDue: true },
          { work: "template fetches", key: uuid(2), isDue: true }
        ])
        return { conversations, messages: messages.map(({ recipient }) => recipient) }
      }).pipe(on(url))
      const [one, two] = [
        { kind: "phone", value: "+491701234567" },
        { kind: "chat_user", value: "DE.1" }
      ]
      const { conversations, messages } = yield* read
      assert.deepStrictEqual(conversations, [
        { recipient: one, isSince: true, windows: [] },
        { recipient: two, isSince: true, windows: [] },
        { recipient: null, isSince: null, windows: [] }
      ])
      assert.deepStrictEqual(messages, [one, null, two, null, null, null])
    })
  )

  it.effect("write the phones of numbers in E.164, and leave out what cannot be read", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      const shown = ["+1 555-078-3881", "15550783881", "+4930123456", "+49 (30) 123.456", "soon", "+0 12", "123", null]
      yield* Migrations.apply(before("numbers")).pipe(on(url))
      const phones = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const id = "019dfc1d-9023-70ef-8152-d1ccaf1742e9"
        yield* sql`INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${id}, 'Acme', 'acme', 'free', 'UTC', 'en', 'EUR', 'active', now(), 1)`
        for (const [index, phone] of shown.entries()) {
          yield* sql`INSERT INTO chat_accounts (organization_id, id, provider, mode, display_name, phone, external_account_id,
              external_phone_id, status, quality_rating, sealed_access_token, created_at, updated_at, version)
            VALUES (${id}, gen_random_uuid(), 'whatsapp', 'own_app', 'Acme', ${phone}, 'business', ${String(index)},
              'connected', 'green', 'sealed', now(), now(), 1)`
        }
        yield* Migrations.apply(migrations)
        const rows = yield* sql<{ readonly phone: string | null }>`
          SELECT phone FROM chat_accounts WHERE removed_at IS NULL ORDER BY external_phone_id`
        return rows.map(({ phone }) => phone)
      }).pipe(on(url))
      const [us, berlin] = ["+15550783881", "+4930123456"]
      assert.deepStrictEqual(phones, [us, us, berlin, berlin, null, null, null, null])
    })
  )

  it.effect("open a lane for each job that is not over, and for each mail that waits", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply(before("job lanes")).pipe(on(url))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`
        yield* sql`INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
          VALUES (${uuid(1)}, 'Acme', 'acme', 'free', 'UTC', 'en', 'EUR', 'active', now(), 1)`
        const states = ["queued", "running", "succeeded", "failed", "cancelled"]
        for (const [place, creator] of ["user", "token"].entries()) {
          for (const [index, state] of states.entries()) {
            yield* sql`
              INSERT INTO jobs (organization_id, id, kind, state, progress_done, counts, cancel_requested, creator_kind,
                creator_id, permissions, attempts, runner, runnable_at, created_at, updated_at)
              VALUES (${uuid(1)}, ${uuid(10 * (place + 1) + index)}, 'test.kind', ${state}, 3, '{}', false, ${creator},
                'somebody', '{}', 2, 'another', now() + interval '8 seconds', now(), now())`
          }
        }
        yield* sql`
          INSERT INTO mails (id, sealed_mail, expires_at, attempts, sender, runnable_at)
          VALUES (${uuid(30)}, 'sealed', now() + interval '1 hour', 4, 'another', now() + interval '2 minutes')`
        yield* Migrations.migrate
        const lanes = yield* sql`
          SELECT work, organization_id AS organization, key, priority, due_at <= now() AS "isDue" FROM work_lanes
          ORDER BY work, key`
        const job = (number: number, priority: number) => {
          return { work: "jobs", organization: uuid(1), key: uuid(number), priority, isDue: true }
        }
        const nil = "00000000-0000-0000-0000-000000000000"
        const refold = (of: string) => {
          return { work: `${of} refolds`, organization: uuid(1), key: "all", priority: 1, isDue: true }
        }
        assert.deepStrictEqual(lanes, [
          refold("contact"),
          job(10, 0),
          job(11, 0),
          job(20, 1),
          job(21, 1),
          { work: "mails", organization: nil, key: uuid(30), priority: 0, isDue: true },
          refold("message")
        ])
        assert.deepStrictEqual(
          yield* sql`SELECT state, attempts FROM jobs WHERE id = ${uuid(11)} UNION ALL SELECT 'mail', attempts FROM mails`,
          [
            { state: "running", attempts: 2 },
            { state: "mail", attempts: 4 }
          ]
        )
      }).pipe(on(url))
    })
  )

  it.effect("refuse a database that is newer than the code, and say so", () =>
    Effect.gen(function* () {
      const url = yield* emptied
      yield* Migrations.apply([...migrations, step(9_999, table("future"))]).pipe(on(url))
      const error = yield* Migrations.migrate.pipe(on(url), Effect.flip)
      assert.deepStrictEqual(error._tag === "DatabaseNewerThanCode" ? [error.database, error.code] : error._tag, [
        9_999,
        migrations.at(-1)?.id ?? 0
      ])
      assert.include(error.message, "9999")
      assert.isTrue((yield* Migrations.status.pipe(on(url))).isNewerThanCode)
    })
  )
})

it("have ids that count from 1 and names that differ", () => {
  assert.deepStrictEqual(
    migrations.map(({ id }) => id),
    migrations.map((_, index) => index + 1)
  )
  assert.strictEqual(new Set(migrations.map(({ name }) => name)).size, migrations.length)
})
