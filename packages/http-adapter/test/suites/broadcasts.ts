import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Broadcast, Broadcasts, type BroadcastStatus } from "@parley/domain/campaigns"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, idsOf, pointersOf, textAt } from "../harness/answers.ts"
import { givenBroadcast, givenReadyBroadcast, givenSendableBroadcast } from "../harness/campaigns.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { givenFile, givenNumber, givenTemplate } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenPerson, givenSegment, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const noStats = {
  matched: 0,
  pending: 0,
  inFlight: 0,
  inDoubt: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  excluded: 0,
  heldOut: 0,
  neverSent: 0
}

const withVariables = {
  components: { body: { text: "Hello {{1}}.", examples: { "1": "Ana" } } },
  variables: [{ key: "body.1", in: "body", kind: "text" }]
} as const

/** Runs as a member with this role. */
const asAn = Effect.fnUntraced(function* ({ organization }: Tenant, role: "agent" | "admin") {
  const { token } = yield* givenPerson(organization, role)
  return (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) =>
    call(method, `/api/v1${path}`, { token, organization: organization.id, body })
})

const put = (tenant: Tenant, broadcast: Broadcast, status: BroadcastStatus) =>
  Effect.flatMap(Broadcasts, (broadcasts) =>
    transact(broadcasts.save(new Broadcast({ ...broadcast, status }), null))
  ).pipe(inside(tenant.organization), Effect.orDie)

/** Broadcasts before sending, and rules for all broadcasts. */
export const broadcastsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a broadcast is drafted, read, changed, found and deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const created = yield* added(tenant, "/broadcasts", { name: "Rye bread is back" })
        const id = idOf(created)
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id,
          name: "Rye bread is back",
          chatAccountId: null,
          templateId: null,
          variables: {},
          variants: null,
          holdOut: 0,
          splitKey: id,
          audience: null,
          exclude: null,
          schedule: null,
          throttle: null,
          ignoreFrequencyCaps: false,
          ignoreQuietHours: false,
          replyHours: 72,
          upliftDays: 7,
          status: "draft",
          stats: noStats,
          waiting: null,
          pause: null,
          failure: null,
          endReason: null,
          source: null,
          retry: null,
          audienceSnapshotId: null,
          frozenAt: null,
          startedAt: null,
          endedAt: null,
          recipientsKeptUntil: null,
          createdBy: tenant.owner.user.id,
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const path = `/broadcasts/${id}`
        assert.deepStrictEqual((yield* send("GET", path)).body, created.body)

        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const { id: templateId } = yield* givenTemplate(tenant.organization, { chatAccountId, ...withVariables })
        const { id: segmentId } = yield* givenSegment(tenant.organization)
        yield* TestClock.adjust("1 second")
        const input = {
          chatAccountId,
          templateId,
          variables: { "body.1": { kind: "field", field: "firstName", fallback: "there" } },
          holdOut: 12.34,
          audience: { field: "segment", op: "in", value: segmentId },
          exclude: { field: "blocked", op: "is", value: true },
          schedule: { at: "2126-01-01T09:00:00.000Z" },
          throttle: { perMinute: 600 },
          ignoreQuietHours: true
        }
        const changed = yield* send("PATCH", path, input, { "if-match": "1" })
        assert.deepStrictEqual(changed.body, {
          ...created.body,
          ...input,
          updatedAt: textAt(changed, "updatedAt"),
          version: 2
        })
        assert.notStrictEqual(textAt(changed, "updatedAt"), now)
        assert.deepStrictEqual((yield* send("PATCH", path, input)).body, changed.body)
        assert.deepStrictEqual((yield* send("PATCH", path, { throttle: null })).body.throttle, null)
        assertProblem(yield* send("PATCH", path, { name: "X" }, { "if-match": "1" }), 412, "version_conflict")

        const other = yield* givenBroadcast(tenant.organization, { name: "Autumn" })
        assert.deepStrictEqual(idsOf(yield* send("GET", "/broadcasts")), [other.id, id])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/broadcasts?q=RYE%20br")), [id])
        assert.deepStrictEqual(idsOf(yield* send("GET", `/broadcasts?chatAccountId=${chatAccountId}`)), [id])
        assert.deepStrictEqual(idsOf(yield* send("GET", "/broadcasts?status=sending")), [])
        assert.deepStrictEqual(idsOf(yield* send("GET", `/broadcasts?createdTo=${textAt(changed, "updatedAt")}`)), [id])
        const nowhere = yield* send("GET", `/broadcasts?chatAccountId=${yield* freshId}`)
        assertProblem(nowhere, 404, "not_found")
        assert.strictEqual(nowhere.body.pointer, "/query/chatAccountId")

        assertStatus(yield* send("DELETE", path), 204)
        assertProblem(yield* send("GET", path), 404, "not_found")
      })
    )

    it.effect("named resources must exist and belong together", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization } = tenant
        const theirs = yield* givenTenant()
        const { id: chatAccountId } = yield* givenNumber(organization)
        const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, ...withVariables })
        const { id: code } = yield* givenTemplate(organization, { chatAccountId, category: "authentication" })
        const { id: elsewhere } = yield* givenTemplate(organization)
        const { id: foreign } = yield* givenTemplate(theirs.organization)
        const { id: foreignSegment } = yield* givenSegment(theirs.organization)
        const picture = yield* givenTemplate(organization, {
          chatAccountId,
          components: { header: { format: "document" }, body: { text: "Hello." } },
          variables: [{ key: "header", in: "header", kind: "document" }]
        })
        const file = yield* givenFile(organization)
        const foreignFile = yield* givenFile(theirs.organization)
        const draft = (input: object) => as(tenant)("POST", "/broadcasts", { name: "Spring", ...input })

        const missing = [
          [{ chatAccountId: yield* freshId }, "/chatAccountId"],
          [{ templateId: foreign }, "/templateId"],
          [{ variants: [variant("a", 50, templateId), variant("b", 50, foreign)] }, "/variants/1/templateId"],
          [{ audience: { field: "segment", op: "in", value: foreignSegment } }, "/audience/value"],
          [{ exclude: { any: [{ field: "segment", op: "in", value: foreignSegment }] } }, "/exclude/any/0/value"],
          [{ templateId: picture.id, variables: { header: constant(foreignFile.id) } }, "/variables/header/value"]
        ] as const
        for (const [input, pointer] of missing) {
          const answer = yield* draft(input)
          assertProblem(answer, 404, "not_found")
          assert.strictEqual(answer.body.pointer, pointer)
        }

        const faulty = [
          [{ templateId: code }, ["/templateId"]],
          [{ chatAccountId, templateId: elsewhere }, ["/templateId"]],
          [{ variants: [variant("a", 50, templateId), variant("b", 50, elsewhere)] }, ["/variants/1/templateId"]],
          [{ templateId, variables: { "body.2": constant("x") } }, ["/variables/body.2"]],
          [{ templateId, variants: [variant("a", 50, templateId), variant("b", 50, templateId)] }, ["/variants"]],
          [{ variants: [variant("a", 50, templateId), variant("b", 49, templateId)] }, ["/variants"]],
          [{ variants: [variant("a", 50, templateId), variant("a", 50, templateId)] }, ["/variants"]],
          [{ variants: [variant("a", 99, templateId)] }, ["/variants", "/variants"]],
          [{ templateId: picture.id, variables: { header: constant("no file") } }, ["/variables/header/value"]],
          [
            { templateId: code, audience: { field: "mood", op: "is", value: "good" }, exclude: { op: "is" } },
            ["/audience/field", "/exclude", "/templateId"]
          ],
          [{ holdOut: 50.01 }, ["/holdOut"]],
          [{ holdOut: 0.001 }, ["/holdOut"]],
          [{ splitKey: "a b" }, ["/splitKey"]],
          [{ replyHours: 169, upliftDays: 31 }, ["/replyHours", "/upliftDays"]],
          [{ throttle: { perMinute: 0 } }, ["/throttle/perMinute"]],
          [{ status: "sending" }, ["/status"]]
        ] as const
        for (const [input, pointers] of faulty) {
          const answer = yield* draft(input)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), Array.from(pointers), JSON.stringify(input))
        }

        assertStatus(yield* draft({ templateId: picture.id, variables: { header: constant(file.id) } }), 201)
        assertStatus(yield* draft({ variants: [variant("a", 1, templateId), variant("c", 99, templateId)] }), 201)
      })
    )

    it.effect("a resource that was deleted later is no error of another change", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id: templateId } = yield* givenTemplate(tenant.organization)
        const { id: segmentId } = yield* givenSegment(tenant.organization)
        const audience = { field: "segment", op: "in", value: segmentId }
        const { id } = yield* givenBroadcast(tenant.organization, { templateId, audience })
        assertStatus(yield* as(tenant)("DELETE", `/segments/${segmentId}`), 204)
        assertStatus(yield* as(tenant)("DELETE", `/message_templates/${templateId}`), 204)
        assertStatus(yield* as(tenant)("PATCH", `/broadcasts/${id}`, { name: "Autumn" }), 200)
        assertProblem(yield* as(tenant)("PATCH", `/broadcasts/${id}`, { audience }), 404, "not_found")
      })
    )

    it.effect(
      "callers without broadcasts.send neither change a scheduled one nor lift the protection of contacts",
      () =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const [agent, admin] = [yield* asAn(tenant, "agent"), yield* asAn(tenant, "admin")]
          const created = yield* agent("POST", "/broadcasts", { name: "Spring" })
          assertStatus(created, 201)
          const path = `/broadcasts/${idOf(created)}`
          for (const refused of [
            yield* agent("POST", "/broadcasts", { name: "Spring", ignoreFrequencyCaps: true }),
            yield* agent("PATCH", path, { ignoreQuietHours: true }),
            yield* agent("PATCH", "/broadcast_settings", { quietHours: null })
          ]) {
            assertProblem(refused, 403, "permission_denied")
            assert.strictEqual(refused.body.permission, "broadcasts.send")
          }
          assertStatus(yield* admin("PATCH", path, { ignoreQuietHours: true }), 200)
          assertStatus(yield* agent("PATCH", path, { ignoreQuietHours: true, name: "Summer" }), 200)
          const lowered = yield* agent("PATCH", path, { ignoreQuietHours: false })
          assertProblem(lowered, 403, "permission_denied")
        })
    )

    it.effect.each(["sending", "paused", "completed", "cancelled", "failed"] as const)(
      "one with status %s is neither changed nor deleted",
      (status) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const broadcast = yield* givenBroadcast(tenant.organization)
          yield* put(tenant, broadcast, status)
          const path = `/broadcasts/${broadcast.id}`
          const changed = yield* as(tenant)("PATCH", path, { name: "Summer" })
          assertProblem(changed, 409, "broadcast_status_invalid")
          assert.deepStrictEqual([changed.body.broadcastStatus, changed.body.allowed], [status, ["draft", "scheduled"]])
          const deleted = yield* as(tenant)("DELETE", path)
          assertProblem(deleted, 409, "broadcast_status_invalid")
          assert.deepStrictEqual([deleted.body.broadcastStatus, deleted.body.allowed], [status, ["draft"]])
        })
    )

    it.effect("a complete one is scheduled, changed while it stays ready, and unscheduled", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenReadyBroadcast(tenant.organization, { schedule: null })
        const path = `/broadcasts/${id}`
        const unplanned = yield* send("POST", `${path}/schedule`, {})
        assertProblem(unplanned, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(unplanned), ["/schedule"])
        const schedule = { localAt: "2026-12-01T09:00", zone: "contact", passed: "skip" }
        const late = yield* send("POST", `${path}/schedule`, { schedule: { at: "2020-01-01T00:00:00Z" } })
        assert.deepStrictEqual(pointersOf(late), ["/schedule/at"])
        const stale = yield* send("POST", `${path}/schedule`, { schedule }, { "if-match": "2" })
        assertProblem(stale, 412, "version_conflict")
        const scheduled = yield* send("POST", `${path}/schedule`, { schedule })
        assertStatus(scheduled, 200)
        assert.deepStrictEqual(
          [scheduled.body.status, scheduled.body.schedule, scheduled.body.version],
          ["scheduled", schedule, 2]
        )
        const again = yield* send("POST", `${path}/schedule`, {})
        assertProblem(again, 409, "broadcast_transition_invalid")
        assert.deepStrictEqual(
          [again.body.from, again.body.to, again.body.allowed],
          ["scheduled", "scheduled", ["draft", "sending", "cancelled"]]
        )

        const emptied = yield* send("PATCH", path, { audience: null })
        assertProblem(emptied, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(emptied), ["/audience"])
        assertStatus(yield* send("PATCH", path, { holdOut: 5 }), 200)
        const agent = yield* asAn(tenant, "agent")
        const refused = yield* agent("PATCH", path, { holdOut: 10 })
        assertProblem(refused, 403, "permission_denied")
        assert.strictEqual(refused.body.permission, "broadcasts.send")
        assertProblem(yield* send("DELETE", path), 409, "broadcast_status_invalid")

        const unscheduled = yield* send("POST", `${path}/unschedule`)
        assertStatus(unscheduled, 200)
        assert.deepStrictEqual([unscheduled.body.status, unscheduled.body.schedule], ["draft", schedule])
        assertProblem(yield* send("POST", `${path}/unschedule`), 409, "broadcast_transition_invalid")
        assertStatus(yield* send("PATCH", path, { audience: null }), 200)
      })
    )

    it.effect("every incomplete part is reported, including refusals of the provider", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization } = tenant
        const send = as(tenant)
        const soon = { schedule: { at: "2026-12-01T09:00:00Z" } }
        const schedule = ({ id }: { readonly id: string }) => send("POST", `/broadcasts/${id}/schedule`, soon)
        const bare = yield* schedule(yield* givenBroadcast(organization))
        assertProblem(bare, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(bare), ["/audience", "/chatAccountId", "/templateId"])

        const { id: chatAccountId } = yield* givenNumber(organization)
        const template = yield* givenTemplate(organization, { chatAccountId, status: "paused", ...withVariables })
        const { id: segmentId } = yield* givenSegment(organization)
        const half = yield* givenBroadcast(organization, {
          chatAccountId,
          audience: { field: "segment", op: "in", value: segmentId },
          variants: [
            { key: "a", weight: 50, templateId: template.id, variables: {} },
            { key: "b", weight: 50, templateId: template.id, variables: filled }
          ]
        })
        assertStatus(yield* send("DELETE", `/segments/${segmentId}`), 204)
        const halfway = yield* schedule(half)
        assert.deepStrictEqual(pointersOf(halfway), ["/audience/value", "/variants/0/variables/body.1"])

        const ready = { chatAccountId, templateId: template.id, variables: filled }
        const paused = yield* schedule(yield* givenReadyBroadcast(organization, ready))
        assertProblem(paused, 409, "template_not_approved")
        assert.strictEqual(paused.body.templateStatus, "paused")

        const { id: away } = yield* givenNumber(organization, { status: "disconnected" })
        const { id: templateId } = yield* givenTemplate(organization, { chatAccountId: away, status: "approved" })
        const cut = yield* givenReadyBroadcast(organization, { chatAccountId: away, templateId })
        assertProblem(yield* schedule(cut), 409, "chat_account_disconnected")
      })
    )

    it.effect("a duplicate is equal except for its schedule, and has a new random split", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const input = { splitKey: "spring.2026", ignoreQuietHours: true, holdOut: 5 }
        const original = yield* givenReadyBroadcast(tenant.organization, input)
        yield* put(tenant, original, "completed")
        const copy = yield* added(tenant, `/broadcasts/${original.id}/duplicate`, {})
        const { chatAccountId, name, templateId } = original
        assert.deepInclude(copy.body, {
          name,
          chatAccountId,
          templateId,
          ...input,
          audience: {},
          schedule: null,
          source: { broadcastId: original.id, kind: "duplicate" },
          status: "draft",
          version: 1
        })

        const plain = yield* givenBroadcast(tenant.organization, { ignoreFrequencyCaps: true })
        const agent = yield* asAn(tenant, "agent")
        const cautious = yield* agent("POST", `/broadcasts/${plain.id}/duplicate`, { name: "Again" })
        assertStatus(cautious, 201)
        assert.deepStrictEqual(
          [cautious.body.name, cautious.body.splitKey, cautious.body.ignoreFrequencyCaps],
          ["Again", idOf(cautious), false]
        )
      })
    )

    it.effect("settings of all broadcasts are read, changed and cleared", () =>
      Effect.gen(function* () {
        const send = as(yield* givenTenant())
        const initial = yield* send("GET", "/broadcast_settings")
        assert.deepStrictEqual(initial.body, {
          quietHours: null,
          frequencyCaps: [],
          optOutKeywords: {},
          optInKeywords: {},
          optOutReply: null,
          attributionHours: 120,
          version: 1
        })
        const input = {
          quietHours: { from: "21:00", to: "08:00" },
          frequencyCaps: [{ category: "marketing", max: 2, days: 7 }],
          optOutKeywords: { de: ["Kein Brot mehr"] },
          optInKeywords: { de: ["Wieder Brot"] },
          optOutReply: { de: "Du bekommst nichts mehr." },
          attributionHours: 24
        }
        const changed = yield* send("PATCH", "/broadcast_settings", input, { "if-match": "1" })
        assert.deepStrictEqual(changed.body, { ...input, version: 2 })
        assert.deepStrictEqual((yield* send("GET", "/broadcast_settings")).body, changed.body)
        assert.deepStrictEqual((yield* send("PATCH", "/broadcast_settings", input)).body, changed.body)
        const stale = yield* send("PATCH", "/broadcast_settings", { attributionHours: 1 }, { "if-match": "1" })
        assertProblem(stale, 412, "version_conflict")
        const cleared = yield* send("PATCH", "/broadcast_settings", { quietHours: null, optOutReply: null })
        assert.deepStrictEqual([cleared.body.quietHours, cleared.body.optOutReply], [null, null])
        for (const [faulty, pointer] of [
          [{ quietHours: { from: "08:00", to: "08:00" } }, "/quietHours"],
          [{ frequencyCaps: Array.from({ length: 6 }, () => input.frequencyCaps[0]) }, "/frequencyCaps"],
          [{ optInKeywords: { en: ["Stop!"] } }, "/optInKeywords/en/0"],
          [{ optOutKeywords: { de: ["x"] } }, "/optOutKeywords/de/0"],
          [{ optOutReply: {} }, "/optOutReply"],
          [{ attributionHours: 721 }, "/attributionHours"]
        ] as const) {
          const answer = yield* send("PATCH", "/broadcast_settings", faulty)
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), [pointer])
        }
      })
    )

    it.effect("an immediate send rejects a start time and sends nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenSendableBroadcast(tenant.organization)
        const path = `/broadcasts/${id}`
        for (const field of ["at", "localAt"]) {
          const misplaced = yield* send("POST", `${path}/send`, { [field]: "2126-12-01T09:00:00Z" })
          assertProblem(misplaced, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(misplaced), [`/${field}`])
          assert.include(misplaced.text, "/broadcasts/:id/schedule")
        }
        for (const [schedule, pointers] of [
          [{ at: "2126-12-01T09:00:00Z" }, ["/schedule/at"]],
          [{ localAt: "2126-12-01T09:00", passed: "skip" }, ["/schedule/localAt", "/schedule/passed"]]
        ] as const) {
          const answer = yield* send("POST", `${path}/send`, { schedule })
          assertProblem(answer, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(answer), Array.from(pointers))
          assert.include(answer.text, "/broadcasts/:id/schedule")
        }
        assert.strictEqual((yield* send("GET", path)).body.status, "draft")
        const window = { days: ["mon"], from: "09:00", to: "18:00" }
        const sent = yield* send("POST", `${path}/send`, { schedule: { zone: "contact", window } })
        assertStatus(sent, 202)
        assert.deepStrictEqual(sent.body.schedule, { zone: "contact", window })
      })
    )

    it.effect("a broadcast is sent once, paused, resumed and cancelled, with counts", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenSendableBroadcast(tenant.organization)
        const path = `/broadcasts/${id}`
        const answers = yield* Effect.all([send("POST", `${path}/send`, {}), send("POST", `${path}/send`, {})], {
          concurrency: 2
        })
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [202, 409])
        const refused = answers.find(({ status }) => status === 409) ?? assert.fail()
        assertProblem(refused, 409, "broadcast_transition_invalid")
        assert.deepStrictEqual([refused.body.from, refused.body.to], ["sending", "sending"])
        // With a key, the request is a unit of work: it waits for the sender after its commit.
        const paused = yield* send("POST", `${path}/pause`, undefined, { "idempotency-key": "pause" })
        assertStatus(paused, 200)
        assert.strictEqual(paused.body.status, "paused")
        assert.deepStrictEqual(
          (yield* send("POST", `${path}/pause`, undefined, { "idempotency-key": "pause" })).body,
          paused.body
        )
        assertProblem(yield* send("POST", `${path}/pause`), 409, "broadcast_transition_invalid")
        const resumed = yield* send("POST", `${path}/resume`)
        assert.deepStrictEqual([resumed.status, resumed.body.status, resumed.body.pause], [200, "sending", null])
        const cancelled = yield* send("POST", `${path}/cancel`)
        const { pending: _pending, delivered: _delivered, read: _read, ...counts } = noStats
        assert.deepStrictEqual(cancelled.body, { id, status: "cancelled", ...counts })
        assertProblem(yield* send("POST", `${path}/resume`), 409, "broadcast_transition_invalid")
        const unready = yield* givenBroadcast(tenant.organization)
        assertProblem(yield* send("POST", `/broadcasts/${unready.id}/send`, {}), 400, "validation_failed")
      })
    )
  })

const constant = (value: string) => ({ kind: "constant", value })

const filled = { "body.1": { kind: "constant", value: "x" } } as const

const variant = (key: string, weight: number, templateId: string) => ({ key, weight, templateId, variables: {} })
