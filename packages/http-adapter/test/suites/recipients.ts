import { assert } from "@effect/vitest"
import { type Permission, transact } from "@parley/domain/kernel"
import {
  Broadcast,
  type BroadcastId,
  Broadcasts,
  RecipientLedger,
  RecipientList,
  sweepRecipients
} from "@parley/domain/campaigns"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, rowsOf } from "../harness/answers.ts"
import { givenBroadcast } from "../harness/campaigns.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenAutomationToken, givenContact, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const phone = { kind: "phone", value: "+491701234567" } as const

const error = { code: "recipient_unreachable", providerCode: 131_026, reason: "Message undeliverable" }

const change = (tenant: Tenant, id: BroadcastId, input: Partial<Broadcast>) =>
  Effect.flatMap(Broadcasts, (broadcasts) =>
    transact(
      Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, ...input }), null))
    )
  ).pipe(inside(tenant.organization), Effect.orDie)

/** One was sent, one has failed, one is left, one is excluded and one is held out. */
const givenSending = Effect.fnUntraced(function* (tenant: Tenant) {
  const { id } = yield* givenBroadcast(tenant.organization)
  const contacts = yield* Effect.replicateEffect(givenContact(tenant.organization), 5)
  yield* change(tenant, id, { status: "sending" })
  const now = yield* DateTime.now
  const left = [null, null, null, { kind: "excluded", reason: "blocked" }, { kind: "held_out" }] as const
  const recipients = contacts.map(({ id: contactId }, place) => {
    return { contactId, address: phone, variant: null, dueAt: null, left: left[place] ?? null }
  })
  const calls = contacts.slice(0, 2).map(({ id: contactId }, place) => ({ seq: place + 1, contactId, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: now, calls }
  const ledger = yield* RecipientLedger
  yield* Effect.gen(function* () {
    yield* ledger.list(id, recipients)
    yield* ledger.begin({ revision: 0, mark: 2, window, excluded: [], postponed: [] })
    yield* ledger.settle(id, [
      { windowId: window.id, seq: 1, at: now, outcome: { kind: "sent", providerMessageId: "wamid.1" } },
      { windowId: window.id, seq: 2, at: now, outcome: { kind: "failed", error } }
    ])
  }).pipe(transact, inside(tenant.organization))
  return { id, contacts }
})

/** Recipients of broadcasts and their outcomes. */
export const recipientsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("the recipients of a broadcast are listed by what came of them", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { contacts, id } = yield* givenSending(tenant)
        const path = `/broadcasts/${id}/recipients`
        const all = yield* send("GET", path)
        assert.deepStrictEqual(
          (all.body.data as ReadonlyArray<Record<string, unknown>>).map(({ contactId, name, status }) => [
            contactId,
            name,
            status
          ]),
          contacts.map((contact, place) => [
            contact.id,
            contact.name,
            ["sent", "failed", "pending", "excluded", "held_out"][place]
          ])
        )
        const ids = idsOf(all)
        assert.deepStrictEqual(idsOf(yield* send("GET", `${path}?status=failed`)), ids.slice(1, 2))
        assert.deepStrictEqual(idsOf(yield* send("GET", `${path}?reason=blocked`)), ids.slice(3, 4))
        assert.deepStrictEqual(idsOf(yield* send("GET", `${path}?contactId=${contacts[2]?.id}`)), ids.slice(2, 3))
        assert.isEmpty(idsOf(yield* send("GET", `${path}?replied=true`)))
        const first = yield* send("GET", `${path}?limit=3`)
        const rest = yield* send("GET", `${path}?limit=3&cursor=${String(first.body.nextCursor)}`)
        assert.deepStrictEqual([...idsOf(first), ...idsOf(rest)], ids)
        assert.isNull(rest.body.nextCursor)
        assertProblem(yield* send("GET", `${path}?status=lost`), 400, "validation_failed")
        assertProblem(yield* send("GET", `${path}?contactId=${yield* freshId}`), 404, "not_found")
      })
    )

    it.effect("names and addresses of recipients are null without contacts.read", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenSending(tenant)
        const path = `/api/v1/broadcasts/${id}/recipients`
        const listWith = Effect.fnUntraced(function* (...permissions: ReadonlyArray<Permission>) {
          const { token } = yield* givenAutomationToken(tenant, permissions)
          return yield* call("GET", path, { token, organization: tenant.organization.id })
        })
        const narrow = yield* listWith("broadcasts.read")
        const shown = yield* listWith("broadcasts.read", "contacts.read")
        assert.notInclude(narrow.text, phone.value)
        assert.include(shown.text, phone.value)
        const hidden = rowsOf(shown).map((row) => ({ ...Object(row), name: null, address: null }))
        assert.deepStrictEqual(rowsOf(narrow), hidden)
        assert.deepStrictEqual(rowsOf(yield* listWith("broadcasts.read", "contacts.export")), rowsOf(shown))
      })
    )

    it.effect("the recipients of a broadcast are exported as they are listed", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { contacts, id } = yield* givenSending(tenant)
        const path = `/broadcasts/${id}/recipients/export`
        const csv = yield* send("GET", path)
        assertStatus(csv, 200)
        assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(csv.headers.get("content-disposition"), 'attachment; filename="recipients.csv"')
        const [header = "", ...lines] = csv.text.trimEnd().split("\r\n")
        const cells = lines.map((line) =>
          Object.fromEntries(line.split(",").map((cell, place) => [header.split(",")[place], cell]))
        )
        assert.deepStrictEqual(
          cells.map(({ contactId, errorCode, name, reason, status }) => [contactId, name, status, reason, errorCode]),
          contacts.map((contact, place) => [
            contact.id,
            contact.name,
            ["sent", "failed", "pending", "excluded", "held_out"][place],
            place === 3 ? "blocked" : "",
            place === 1 ? "recipient_unreachable" : ""
          ])
        )
        const failed = yield* send("GET", `${path}?status=failed&format=ndjson`)
        const [line = "", ...rest] = failed.text.trimEnd().split("\n")
        assert.isEmpty(rest)
        assert.deepInclude(JSON.parse(line), {
          contactId: contacts[1]?.id,
          address: phone.value,
          errorProviderCode: 131_026,
          attempts: 1,
          sentAt: null
        })
        assertProblem(yield* send("GET", `${path}?status=lost`), 400, "validation_failed")
        assertProblem(yield* send("GET", `${path}?contactId=${yield* freshId}`), 404, "not_found")
        const now = yield* DateTime.now
        yield* change(tenant, id, { status: "cancelled", endedAt: now, recipientsKeptUntil: now })
        assertProblem(yield* send("GET", path), 410, "recipients_expired")
      })
    )

    it.effect("a name that a spreadsheet would run as a formula is exported as a text", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const contact = yield* givenContact(tenant.organization, { name: "=HYPERLINK(1)" })
        const { id } = yield* givenBroadcast(tenant.organization)
        const recipient = { contactId: contact.id, address: phone, variant: null, dueAt: null, left: null }
        yield* transact((yield* RecipientLedger).list(id, [recipient])).pipe(inside(tenant.organization))
        const { text } = yield* as(tenant)("GET", `/broadcasts/${id}/recipients/export`)
        assert.include(text, `,'=HYPERLINK(1),${phone.value},`)
      })
    )

    it.effect("the report of a broadcast adds up, and is still there when the recipients are listed no more", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { contacts, id } = yield* givenSending(tenant)
        const now = yield* DateTime.now
        yield* change(tenant, id, { status: "cancelled", endedAt: now, recipientsKeptUntil: now })
        const expired = yield* send("GET", `/broadcasts/${id}/recipients`)
        assertProblem(expired, 410, "recipients_expired")
        assert.deepStrictEqual(expired.body.expiredAt, DateTime.formatIso(now))
        assert.deepStrictEqual((yield* send("GET", `/broadcasts/${id}/report`)).body, {
          broadcastId: id,
          asOf: DateTime.formatIso(now),
          funnel: {
            matched: 5,
            excluded: 1,
            heldOut: 1,
            attempted: 2,
            accepted: 1,
            failed: 1,
            inDoubt: 0,
            delivered: 0,
            read: 0,
            replied: 0,
            optedOut: 0,
            neverSent: 1
          },
          excluded: { blocked: 1 },
          failures: { recipient_unreachable: 1 },
          taps: {},
          attributedOrders: 0,
          attributed: [],
          variants: null,
          costs: { currency: "EUR", amount: 0, messages: 0, free: 0, withoutRate: 0 },
          clicks: null,
          uplift: null,
          upliftReason: "no_hold_out"
        })
        const before = yield* send("GET", `/broadcasts/${id}/report`)
        yield* sweepRecipients.pipe(inside(tenant.organization))
        const rest = Effect.flatMap(RecipientList, (list) => list.tally(id)).pipe(inside(tenant.organization))
        assert.isEmpty(yield* rest)
        yield* TestClock.adjust("5 minutes")
        yield* sweepRecipients.pipe(inside(tenant.organization))
        assert.strictEqual((yield* send("GET", `/broadcasts/${id}/report`)).text, before.text)
        assert.strictEqual(at((yield* send("GET", `/broadcasts/${id}`)).body.stats, "matched"), 5)
        for (const path of ["recipients", "recipients/export"]) {
          assertProblem(yield* send("GET", `/broadcasts/${id}/${path}`), 410, "recipients_expired")
        }
        const retry = yield* send("POST", `/broadcasts/${id}/retry`, { statuses: ["failed"] })
        assertProblem(retry, 410, "recipients_expired")
        for (const contact of contacts.slice(0, 2)) {
          assertStatus(yield* send("DELETE", `/contacts/${contact.id}?erase=true`), 204)
        }
      })
    )
  })
