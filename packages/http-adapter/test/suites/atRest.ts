import { assert } from "@effect/vitest"
import { InboundDeliveries, FileSweep, parkInboundDelivery, sweepInboundDeliveries } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assertStatus, textAt } from "../harness/answers.ts"
import { secretCount, secretsIn } from "../harness/Evidence.ts"
import { call } from "../harness/Http.ts"
import { delivery, written } from "../harness/inbox.ts"
import { settleReactions } from "../harness/reactions.ts"
import { overHttp } from "../harness/service.ts"
import { givenTalker } from "../harness/talking.ts"
import {
  freshText,
  givenAutomationToken,
  givenDocsCode,
  givenInvitation,
  givenTenant,
  inside,
  password
} from "../harness/tenants.ts"
import { givenCanary } from "./contactPrivacy.ts"
import { useEverything } from "./secrecy.ts"

const dump = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
  const parts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql<{ readonly row: string }>`SELECT t::text AS row FROM ${sql(name)} AS t`, (rows) => ({
      name,
      text: rows.map(({ row }) => row).join("\n")
    }))
  )
  return new Map(parts.map(({ name, text }) => [name, text]))
})

/** Whether the text contains the word, also as hexadecimal bytes. */
const holds = (text: string, word: string) => text.includes(word) || text.includes(Buffer.from(word).toString("hex"))

/** Data that an attacker with access to the database finds. */
export const atRestSuite = <E>(name: string, ports: Layer.Layer<Ports | SqlClient.SqlClient, E>) =>
  overHttp<SqlClient.SqlClient, E>(name, ports, (it) => {
    it.effect(
      "nothing in it opens anything: no password, token, code or key",
      () =>
        Effect.gen(function* () {
          yield* useEverything
          const tenant = yield* givenTenant()
          const kept = [
            Redacted.value((yield* givenAutomationToken(tenant)).token),
            Redacted.value(yield* givenDocsCode(tenant.organization, tenant.owner)),
            Redacted.value((yield* givenInvitation(tenant.organization)).token),
            Redacted.value(tenant.owner.refreshToken),
            Redacted.value(tenant.owner.token),
            password
          ]
          const tables = yield* dump
          for (const table of [
            "users",
            "refresh_tokens",
            "docs_codes",
            "members",
            "signing_keys",
            "idempotency_keys"
          ]) {
            assert.isNotEmpty(tables.get(table), table)
          }
          assert.isAbove(secretCount(), 50)
          for (const [table, text] of tables) {
            assert.isEmpty(secretsIn(text), table)
            for (const secret of kept) assert.notInclude(text, secret, table)
          }
        }),
      30_000
    )

    it.effect("an answer stored for a repeated call is sealed with a new nonce each time", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* givenTenant()
        const keys = [yield* freshText("key"), yield* freshText("key")]
        for (const key of keys) {
          const answer = yield* call("POST", "/api/v1/auth/tokens", {
            token: tenant.owner.token,
            organization: tenant.organization.id,
            headers: { "idempotency-key": key },
            body: { name: "Export", permissions: ["members.read"], expiresAt: "2026-04-01T00:00:00Z" }
          })
          assertStatus(answer, 201)
        }
        const rows = yield* sql<{ readonly sealed: string; readonly fingerprint: string }>`
          SELECT sealed_answer AS sealed, fingerprint FROM idempotency_keys WHERE key IN ${sql.in(keys)}`
        assert.lengthOf(rows, 2)
        for (const { sealed } of rows) {
          assert.notMatch(sealed, /Export|members|contentType|eyJ/)
          assert.notMatch(
            Buffer.from(sealed.split(".").at(-1) ?? "", "base64url").toString("latin1"),
            /Export|members|status/
          )
        }
        const [one, other] = rows
        assert.strictEqual(one?.fingerprint, other?.fingerprint)
        assert.notStrictEqual(one?.sealed, other?.sealed)
      })
    )

    it.effect("of a person who is erased nothing is left, once the service has tidied up", () =>
      Effect.gen(function* () {
        const { canaries, id, tenant } = yield* givenCanary
        const key = yield* freshText("key")
        const what = { token: tenant.owner.token, organization: tenant.organization.id }
        const added = yield* call("POST", "/api/v1/contacts", {
          ...what,
          headers: { "idempotency-key": key },
          body: { name: `Twin ${canaries.join(" ")}` }
        })
        const before = yield* dump
        for (const canary of canaries) {
          assert.isTrue(Array.from(before.values()).some((text) => text.includes(canary)))
        }
        for (const gone of [id, textAt(added, "id")]) {
          assertStatus(yield* call("DELETE", `/api/v1/contacts/${gone}?erase=true`, what), 204)
        }
        yield* settleReactions(tenant.organization)
        const tables = yield* dump
        for (const [table, text] of tables) {
          for (const canary of canaries) assert.notInclude(text, canary, table)
        }
      })
    )

    it.effect("messages with an erased person leave nothing at rest except deliveries of one month", () =>
      Effect.gen(function* () {
        const { account, from, id, tenant, word } = yield* givenTalker
        const { organization } = tenant
        const delivered = yield* delivery([yield* written(account, `Never told: ${word}`, from)], account)
        assertStatus(yield* call("POST", `/webhooks/chat/${organization.id}`, delivered), 200)
        const waiting = yield* (yield* InboundDeliveries)
          .list("waiting", { limit: 1, after: null })
          .pipe(inside(organization))
        for (const each of waiting)
          yield* parkInboundDelivery({ id: each.id, reason: "Nobody looks" }).pipe(inside(organization))

        const holding = Effect.map(dump, (tables) =>
          Array.from(tables).flatMap(([table, text]) => (holds(text, word) ? [table] : []))
        )
        assert.includeMembers(yield* holding, [
          "contacts",
          "conversations",
          "file_chunks",
          "inbound_deliveries",
          "media",
          "messages",
          "notes"
        ])
        const gone = yield* call("DELETE", `/api/v1/contacts/${id}?erase=true`, {
          token: tenant.owner.token,
          organization: organization.id
        })
        assertStatus(gone, 204)
        yield* settleReactions(organization)
        yield* (yield* FileSweep).sweep().pipe(inside(organization))
        assert.deepStrictEqual(yield* holding, ["inbound_deliveries"])
        yield* TestClock.adjust("31 days")
        yield* sweepInboundDeliveries.pipe(inside(organization))
        assert.deepStrictEqual(yield* holding, [])
      })
    )

    it.effect("a statement cannot run for ever", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly millis: number; readonly idle: number }>`
          SELECT (SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout') AS millis,
            (SELECT setting::integer FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout') AS idle`
        assert.isAbove(row?.millis ?? 0, 0)
        assert.isAtMost(row?.millis ?? 0, 30_000)
        assert.isAbove(row?.idle ?? 0, 0)
      })
    )
  })
