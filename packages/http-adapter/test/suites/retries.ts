import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { createContact, updateContact } from "@parley/domain/crm"
import {
  Broadcast,
  type BroadcastId,
  Broadcasts,
  freezeSlice,
  RecipientLedger,
  RecipientList
} from "@parley/domain/campaigns"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { assertProblem, assertStatus, pointersOf, textAt } from "../harness/answers.ts"
import { givenReadyBroadcast } from "../harness/campaigns.ts"
import { as } from "../harness/crm.ts"
import { overHttp } from "../harness/service.ts"
import { givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const failed = (code: string) =>
  ({ kind: "failed", error: { code, providerCode: null, reason: "It was refused" } }) as const

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }

const change = (tenant: Tenant, id: BroadcastId, input: Partial<Broadcast>) =>
  Effect.flatMap(Broadcasts, (broadcasts) =>
    transact(
      Effect.flatMap(broadcasts.lock(id), (before) => broadcasts.save(new Broadcast({ ...before, ...input }), null))
    )
  ).pipe(inside(tenant.organization), Effect.orDie)

/** Two have failed, one is in doubt, one got it, two were left, one is held out; it has ended. */
const givenEnded = Effect.fnUntraced(function* (tenant: Tenant) {
  const { organization } = tenant
  const ready = yield* givenReadyBroadcast(organization, { schedule: null, audience: { field: "phone", op: "is_set" } })
  const { chatAccountId, id, templateId } = ready
  if (templateId === null) return assert.fail()
  const variants = (["a", "b"] as const).map((key) => ({
    key,
    weight: key === "a" ? 99 : 1,
    templateId,
    variables: {}
  }))
  const contacts = yield* Effect.forEach(Array.from({ length: 7 }), (_, place) =>
    createContact({
      name: `Reader ${place}`,
      phone: `+4917012345${String(place).padStart(2, "0")}`,
      marketing: { state: "subscribed", source: "form" }
    }).pipe(inside(organization), Effect.orDie)
  )
  yield* change(tenant, id, { status: "sending", variants, templateId: null, chatAccountId, holdOut: 10 })
  const now = yield* DateTime.now
  const recipients = contacts.map(({ id: contactId, phone }, place) => ({
    contactId,
    address: { kind: "phone", value: phone ?? "" } as const,
    variant: "b" as const,
    dueAt: null,
    left: place === 6 ? ({ kind: "held_out" } as const) : null
  }))
  const calls = contacts.slice(0, 4).map(({ id: contactId }, place) => ({ seq: place + 1, contactId, values: {} }))
  const window = { id: SecureRandom.uuidV7Unsafe(), broadcastId: id, fence: 1, claimedAt: now, calls }
  const outcomes = [
    failed("recipient_unreachable"),
    failed("recipient_busy"),
    { kind: "in_doubt" },
    { kind: "sent", providerMessageId: "wamid.1" }
  ] as const
  yield* Effect.gen(function* () {
    const ledger = yield* RecipientLedger
    yield* ledger.list(id, recipients)
    yield* ledger.begin({ revision: 0, mark: 4, window, excluded: [], postponed: [] })
    const results = outcomes.map((outcome, place) => ({ windowId: window.id, seq: place + 1, at: now, outcome }))
    yield* ledger.settle(id, results)
    yield* ledger.end(id)
  }).pipe(transact, inside(organization))
  yield* change(tenant, id, {
    status: "cancelled",
    startedAt: now,
    frozenAt: now,
    endedAt: now,
    recipientsKeptUntil: DateTime.add(now, { days: 180 })
  })
  return { id, contacts }
})

/** Broadcasts that try others again. */
export const retriesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("just those are tried again who are asked for, with their variants, and all rules hold", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { contacts, id } = yield* givenEnded(tenant)
        const drafted = yield* send("POST", `/broadcasts/${id}/retry`, { statuses: ["failed", "never_sent"] })
        assertStatus(drafted, 201)
        assert.deepStrictEqual(
          [drafted.body.status, drafted.body.holdOut, drafted.body.splitKey, drafted.body.source, drafted.body.retry],
          [
            "draft",
            0,
            id,
            { broadcastId: id, kind: "retry" },
            { broadcastId: id, statuses: ["failed", "never_sent"], codes: null }
          ]
        )
        const { audience, chatAccountId, id: broadcastId, variants } = drafted.body
        const preview = yield* send("POST", "/broadcasts/audience_preview", {
          audience,
          broadcastId,
          chatAccountId,
          variants
        })
        assertStatus(preview, 200)
        assert.deepStrictEqual([preview.body.matched, preview.body.toSend, preview.body.excluded], [4, 4, {}])

        const [, gone, , , out] = contacts
        if (gone === undefined || out === undefined) return assert.fail()
        yield* updateContact({ id: gone.id, phone: null, ifVersion: null }).pipe(
          inside(tenant.organization),
          Effect.orDie
        )
        yield* updateContact({ id: out.id, blocked: true, ifVersion: null }).pipe(
          inside(tenant.organization),
          Effect.orDie
        )
        const retryId = drafted.body.id as BroadcastId
        assertStatus(yield* send("POST", `/broadcasts/${retryId}/send`, {}), 202)
        yield* freezeSlice(retryId).pipe(inside(tenant.organization), Effect.orDie)
        const { rows } = yield* Effect.flatMap(RecipientList, (list) =>
          list.list(retryId, everybody, { limit: 100, after: null })
        ).pipe(inside(tenant.organization))
        assert.sameDeepMembers(
          rows.map(({ contactId, reason, status, variant }) => [contactId, variant, status, reason]),
          [
            [contacts[0]?.id, "b", "pending", null],
            [gone.id, "b", "excluded", "excluded_by_filter"],
            [out.id, "b", "excluded", "blocked"],
            [contacts[5]?.id, "b", "pending", null]
          ]
        )
      })
    )

    it.effect("failed recipients are retried by error, and recipients in doubt only on request", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenEnded(tenant)
        const path = `/broadcasts/${id}/retry`
        const matchedBy = Effect.fnUntraced(function* (body: object) {
          const drafted = yield* send("POST", path, body)
          assertStatus(drafted, 201)
          const { audience, chatAccountId, id: broadcastId } = drafted.body
          const preview = yield* send("POST", "/broadcasts/audience_preview", { audience, broadcastId, chatAccountId })
          return preview.body.matched
        })
        assert.strictEqual(yield* matchedBy({ statuses: ["failed"], codes: ["recipient_busy"] }), 1)
        assert.strictEqual(yield* matchedBy({ statuses: ["in_doubt", "failed"], allowDuplicate: true }), 3)
        for (const [body, pointer] of [
          [{ statuses: ["in_doubt"] }, "/allowDuplicate"],
          [{ statuses: ["failed", "in_doubt"], allowDuplicate: false }, "/allowDuplicate"],
          [{ statuses: ["never_sent"], codes: ["recipient_busy"] }, "/codes"],
          [{ statuses: [] }, "/statuses"],
          [{}, "/statuses"]
        ] as const) {
          const refused = yield* send("POST", path, body)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), [pointer])
        }
        assertProblem(yield* send("POST", path, { statuses: ["failed"], codes: ["refused"] }), 409, "audience_empty")
      })
    )

    it.effect("a retry reaches no other recipients, also as a duplicate, and needs their list", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenEnded(tenant)
        const draft = yield* send("POST", `/broadcasts/${id}/retry`, { statuses: ["failed"], name: "Once more" })
        const refused = yield* send("POST", `/broadcasts/${textAt(draft, "id")}/retry`, { statuses: ["failed"] })
        assertProblem(refused, 409, "broadcast_status_invalid")
        const copy = yield* send("POST", `/broadcasts/${textAt(draft, "id")}/duplicate`, {})
        assert.deepStrictEqual(copy.body.retry, draft.body.retry)
        const { audience, chatAccountId, variants } = draft.body
        const kept = yield* send("POST", "/broadcasts/audience_preview", {
          audience,
          chatAccountId,
          variants,
          freeze: true
        })
        const { audienceSnapshotId } = kept.body
        const mismatch = yield* send("POST", `/broadcasts/${textAt(draft, "id")}/send`, { audienceSnapshotId })
        assertProblem(mismatch, 409, "audience_snapshot_mismatch")
        assert.deepStrictEqual(mismatch.body.fields, ["retry"])

        yield* change(tenant, id, { recipientsKeptUntil: yield* DateTime.now })
        assertProblem(
          yield* send("POST", `/broadcasts/${id}/retry`, { statuses: ["failed"] }),
          410,
          "recipients_expired"
        )
        const late = yield* send("POST", `/broadcasts/${textAt(draft, "id")}/send`, {})
        assertProblem(late, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(late), ["/retry"])
      })
    )
  })
