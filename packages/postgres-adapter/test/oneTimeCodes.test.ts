import { assert, layer } from "@effect/vitest"
import { Vault } from "@parley/domain/kernel"
import { findTemplateVariables, getMessage, retryMessage, sendMessage } from "@parley/domain/messaging"
import { layerAreas, sendDueMessages } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import {
  asOperatorOf,
  givenContact,
  givenConversation,
  givenNumber,
  givenOrganization,
  givenTemplate,
  MemoryChat,
  TestKit,
  TestSecurity
} from "@parley/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const code = "Q7zK-4mVx9"
const components = { authentication: { transfer: "copy_code", expiryMinutes: 5 } } as const

/** Tables with this text in any column of any row. */
const tablesWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
  const found = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql`SELECT 1 FROM ${sql(name)} AS t WHERE strpos(t::text, ${text}) > 0 LIMIT 1`, ({ length }) =>
      length > 0 ? [name] : []
    )
  )
  return found.flat()
})

const storedCodes = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly sealed: string }>`SELECT sealed_code AS sealed FROM message_codes`
)

layer(
  Layer.provideMerge(layerAreas, Layer.merge(TestSecurity.layer, TestKit.layerProviders)).pipe(
    Layer.provideMerge(Postgres.layer),
    Layer.provideMerge(layerServer)
  ),
  { timeout: "60 seconds" }
)("a one-time code in the database", (it) => {
  it.effect("is in no column of any table before, during and after the send", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const account = yield* givenNumber(organization)
      const contact = yield* givenContact(organization, { phone: "+491701234567" })
      const conversation = yield* givenConversation(organization, {
        contactId: contact.id,
        chatAccountId: account.id
      })
      const template = yield* givenTemplate(organization, account.id, {
        category: "authentication",
        components,
        variables: findTemplateVariables(components)
      })
      const script = yield* MemoryChat.ChatScript
      yield* script.keepTemplate({ ...template, externalId: template.id, status: "approved" })
      yield* Effect.gen(function* () {
        const { id } = yield* sendMessage({
          id: conversation.id,
          kind: "template",
          template: { id: template.id, values: { code } }
        })
        assert.deepStrictEqual(yield* tablesWith(code), [])
        assert.include(yield* tablesWith("••••••"), "messages")
        const [stored] = yield* storedCodes
        const context = `message/${organization.id}/${id}/one_time_code`
        assert.isDefined(yield* (yield* Vault).open(context, stored?.sealed ?? ""))

        yield* script.next({ kind: "refused", code: 131_026, remedy: "skip_recipient" }, "+491701234567")
        yield* sendDueMessages
        assert.strictEqual((yield* getMessage({ id: conversation.id, messageId: id })).status, "failed")
        assert.lengthOf(yield* storedCodes, 1)

        yield* retryMessage({ id: conversation.id, messageId: id })
        yield* sendDueMessages
        assert.strictEqual((yield* getMessage({ id: conversation.id, messageId: id })).status, "sent")
        const [sent] = yield* script.sent
        const content = sent?.message.content
        assert.deepStrictEqual(content?.kind === "template" ? content.template.body : null, { "1": code })
        assert.deepStrictEqual([yield* tablesWith(code), yield* storedCodes], [[], []])
      }).pipe(asOperatorOf(organization))
    })
  )
})
