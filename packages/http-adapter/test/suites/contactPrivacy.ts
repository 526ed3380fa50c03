import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, rowsOf, textAt } from "../harness/answers.ts"
import { added, addedId, as, idOf, ours } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { givenTalker } from "../harness/talking.ts"
import { freshId, freshText, givenContactField, givenPerson, givenTag, givenTenant } from "../harness/tenants.ts"

/** A contact with searchable details everywhere, after every possible event of a contact. */
export const givenCanary = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const send = as(tenant)
  const word = `canary${(yield* freshId).slice(-12).replaceAll(/\d/gu, (digit) => "ghijklmnop".charAt(Number(digit)))}`
  const digits = (BigInt(`0x${(yield* freshId).slice(-12)}`) % 10n ** 8n).toString().padStart(8, "0")
  const phone = `+49151${digits}`
  yield* givenContactField(tenant.organization, { key: "city" })
  const { id: tag } = yield* givenTag(tenant.organization)
  const id = yield* addedId(tenant, "/contacts", {
    name: `Marie ${word}`,
    phone,
    email: `${word}@curie.example`,
    identities: [{ kind: "external", value: `x-${word}` }],
    attributes: { city: word },
    tags: [tag],
    marketing: { state: "subscribed", source: `form ${word}`, evidence: `Said ${word}.` }
  })
  const other = yield* addedId(tenant, "/contacts", {
    name: `Another ${word}`,
    identities: [{ kind: "chat_user", value: `u-${word}` }],
    marketing: { state: "subscribed", evidence: `Also said ${word}.` }
  })
  yield* send("PATCH", `/contacts/${id}`, { name: `Madame ${word}`, blocked: true })
  yield* send("PATCH", `/contacts/${id}`, { blocked: false, marketing: { state: "unsubscribed", source: word } })
  const merged = yield* send("POST", `/contacts/${id}/merge`, { contactId: other })
  assertStatus(merged, 200)
  assertStatus(yield* send("GET", `/contacts/${id}/export`), 200)
  return { tenant, id, other, mergeId: textAt(merged, "mergeId"), canaries: [word, digits], tag }
})

/** Consent, exports and erasures of a person. */
export const contactPrivacySuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("everything that was said about marketing stays in the ledger, in its order", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const created = yield* added(tenant, "/contacts", { name: "Marie" })
        assert.deepStrictEqual(created.body.consent, { marketing: "unknown", source: null, changedAt: null })
        const path = `/contacts/${idOf(created)}`
        const say = (marketing: object) =>
          Effect.tap(send("PATCH", path, { marketing }), () => TestClock.adjust("1 minute"))
        yield* say({ state: "subscribed", source: "form", evidence: "Ticked the box." })
        yield* say({ state: "subscribed" })
        yield* say({ state: "subscribed", evidence: "Ticked it again." })
        yield* say({ state: "unsubscribed" })
        const last = yield* send("GET", path)
        assert.deepStrictEqual(
          [at(last.body, "consent", "marketing"), at(last.body, "consent", "source")],
          ["unsubscribed", "api"]
        )
        const entries = rowsOf(yield* send("GET", `${path}/timeline`))
        assert.deepStrictEqual(
          entries.map((entry) => ["kind", "purpose", "state", "source", "evidence"].map((field) => at(entry, field))),
          [
            ["consent", "marketing", "unsubscribed", "api", null],
            ["consent", "marketing", "subscribed", "api", "Ticked it again."],
            ["consent", "marketing", "subscribed", "form", "Ticked the box."]
          ]
        )
        assert.strictEqual(at(entries[0], "at"), at(last.body, "consent", "changedAt"))
        for (const entry of entries) {
          assert.deepStrictEqual(at(entry, "actor"), { kind: "user", id: tenant.owner.user.id })
        }
      })
    )

    it.effect("a person gets a complete export, with an audit entry", () =>
      Effect.gen(function* () {
        const { id, mergeId, other, tag, tenant } = yield* givenCanary
        const send = as(tenant)
        const contact = yield* send("GET", `/contacts/${id}`)
        const answer = yield* send("GET", `/contacts/${id}/export`)
        assertStatus(answer, 200)
        assert.deepStrictEqual(at(answer.body, "contact"), contact.body)
        assert.strictEqual(at(answer.body, "tags", 0, "id"), tag)
        const { audit, consents, merges, timeline } = answer.body
        assert.isArray(audit)
        assert.lengthOf(Array.isArray(consents) ? consents : [], 3)
        assert.deepStrictEqual(timeline, rowsOf(yield* send("GET", `/contacts/${id}/timeline`)))
        assert.deepStrictEqual([at(merges, 0, "id"), at(merges, 0, "merged", "id")], [mergeId, other])
        const actions = (Array.isArray(audit) ? audit : []).map((entry) => at(entry, "action"))
        assert.deepStrictEqual(actions, [
          "contact.exported",
          "contact.merged",
          "contact.updated",
          "contact.updated",
          "contact.created",
          "contact.created"
        ])
        assert.isTrue(answer.body.complete)
        const trail = rowsOf(yield* send("GET", "/audit_events?action=contact.exported"))
        assert.deepStrictEqual(
          trail.map((row) => at(row, "target", "id")),
          [id, id]
        )
        assertProblem(yield* send("GET", `/contacts/${yield* freshId}/export`), 404, "not_found")
      })
    )

    it.effect("no answer contains data of an erased person, except a record of the erasure", () =>
      Effect.gen(function* () {
        const { canaries, id, mergeId, other, tag, tenant } = yield* givenCanary
        const send = as(tenant)
        const stale = yield* send("DELETE", `/contacts/${id}?erase=true`, undefined, { "if-match": "99" })
        assertProblem(stale, 412, "version_conflict")
        assertStatus(yield* send("DELETE", `/contacts/${id}?erase=true`), 204)

        for (const gone of [id, other]) {
          for (const path of ["", "/timeline", "/export"]) {
            assertProblem(yield* send("GET", `/contacts/${gone}${path}`), 404, "not_found")
          }
        }
        assertProblem(yield* send("POST", `/contacts/${id}/unmerge`, { mergeId }), 404, "not_found")
        assert.strictEqual((yield* send("GET", `/tags/${tag}`)).body.contactCount, 0)
        const answers = [
          yield* send("GET", "/contacts?limit=100"),
          yield* send("GET", `/contacts?q=${canaries[0]}`),
          yield* send("GET", "/audit_events?limit=100"),
          yield* send("GET", "/events?limit=100"),
          yield* send("GET", "/jobs?limit=100")
        ]
        for (const answer of answers) {
          assertStatus(answer, 200)
          for (const canary of canaries) assert.notInclude(answer.text, canary)
        }
        const [last] = rowsOf(yield* send("GET", "/audit_events"))
        assert.deepStrictEqual(
          [at(last, "action"), at(last, "target"), at(last, "before"), at(last, "after")],
          ["contact.erased", { kind: "contact", id }, null, null]
        )
        assertStatus(yield* send("POST", "/contacts", { email: `${canaries[0]}@curie.example` }), 201)
      })
    )

    it.effect("an opt-out applies to an erased person with every identity, and others cannot reverse it", () =>
      Effect.gen(function* () {
        const { canaries, id, tenant } = yield* givenCanary
        const send = as(tenant)
        const kept = at((yield* send("GET", `/contacts/${id}`)).body, "consent", "changedAt")
        assertStatus(yield* send("DELETE", `/contacts/${id}?erase=true`), 204)
        const email = `${canaries[0]}@curie.example`
        const claim = { state: "subscribed", source: "form", evidence: "Said so." }
        assertProblem(yield* send("POST", "/contacts", { email, marketing: claim }), 409, "contact_opted_out")
        const back = yield* added(tenant, "/contacts", { email })
        assert.deepStrictEqual(back.body.consent, {
          marketing: "unsubscribed",
          source: "suppression_list",
          changedAt: kept
        })
        const refused = yield* send("PATCH", `/contacts/${idOf(back)}`, { marketing: claim })
        assertProblem(refused, 409, "contact_opted_out")
        assert.strictEqual(at(refused.body, "optedOutAt"), kept)
        assertProblem(
          yield* send("PUT", `/contacts/by-phone/%2B49151${canaries[1]}`, { marketing: claim }),
          409,
          "contact_opted_out"
        )
        const chosen = { change: { action: "consent", marketing: claim }, target: { ids: [idOf(back)] } }
        assert.deepInclude((yield* send("POST", "/contacts/bulk", chosen)).body, { matched: 1, changed: 0 })
        const spoofed = { marketing: { state: "subscribed", source: "chat_preferences" } }
        assertProblem(yield* send("PATCH", `/contacts/${idOf(back)}`, spoofed), 400, "validation_failed")
      })
    )

    it.effect("a person gets all that was written with them, and the files of it", () =>
      Effect.gen(function* () {
        const { id, inboundMedia, tenant, word } = yield* givenTalker
        const send = as(tenant)
        const answer = yield* send("GET", `/contacts/${id}/export`)
        assertStatus(answer, 200)
        const listed = (name: string): ReadonlyArray<unknown> => {
          const list = at(answer.body, name)
          return Array.isArray(list) ? list : assert.fail(name)
        }
        assert.isTrue(answer.body.complete)
        assert.deepStrictEqual(
          ["conversations", "messages", "notes", "media"].map((name) => listed(name).length),
          [2, 20, 1, 3]
        )
        // The merge has added a separate line to both conversations.
        const isOfMerge = (message: unknown) =>
          at(message, "kind") === "system" && at(message, "author", "kind") !== "contact"
        assert.lengthOf(listed("messages").filter(isOfMerge), 2)
        for (const message of listed("messages").filter((each) => !isOfMerge(each))) {
          assert.include(JSON.stringify(message), word.slice(0, 16))
        }
        assert.strictEqual(at(answer.body, "notes", 0, "text"), `Always asks for ${word}`)
        const file = listed("media").find((each) => at(each, "id") === inboundMedia)
        assert.deepStrictEqual([at(file, "filename"), at(file, "mimeType")], [`${word}.pdf`, "application/pdf"])
        const bytes = yield* call("GET", String(at(file, "url")), ours(tenant))
        assert.deepStrictEqual([bytes.status, bytes.text], [200, `%PDF-1.7 ${word}`])
        const timeline = rowsOf(yield* send("GET", `/contacts/${id}/timeline?limit=100`))
        assert.deepStrictEqual(timeline, listed("timeline"))
        const kinds = Object.groupBy(timeline, (entry) => String(at(entry, "kind")))
        assert.deepStrictEqual(
          Object.entries(kinds)
            .map(([kind, entries]) => [kind, entries?.length])
            .toSorted(),
          [
            ["conversation_opened", 2],
            ["merged", 1],
            ["message", 20],
            ["note", 1]
          ]
        )
      })
    )

    it.effect("no answer contains messages with an erased person", () =>
      Effect.gen(function* () {
        const { id, inboundMedia, path, tenant, word } = yield* givenTalker
        const send = as(tenant)
        assert.include((yield* send("GET", `/conversations?q=${word}`)).text, word)
        assertStatus(yield* send("DELETE", `/contacts/${id}?erase=true`), 204)
        for (const gone of [path, `${path}/messages`, `${path}/notes`, `/media/${inboundMedia}`]) {
          assertProblem(yield* send("GET", gone), 404, "not_found")
        }
        for (const still of [
          "/conversations",
          "/contacts",
          "/audit_events",
          "/events",
          "/jobs",
          "/message_templates"
        ]) {
          const answer = yield* send("GET", `${still}?limit=100`)
          assertStatus(answer, 200)
          assert.notInclude(answer.text, word)
        }
        assert.deepStrictEqual(rowsOf(yield* send("GET", `/conversations?q=${word}`)), [])
      })
    )

    it.effect("a deleted contact can still be erased, an unknown one cannot", () =>
      Effect.gen(function* () {
        const { canaries, id, tenant } = yield* givenCanary
        const send = as(tenant)
        assertStatus(yield* send("DELETE", `/contacts/${id}`), 204)
        const kept = yield* send("GET", "/audit_events?limit=100")
        assert.include(kept.text, canaries[0] ?? "")
        assertStatus(yield* send("DELETE", `/contacts/${id}?erase=true`), 204)
        const trail = yield* send("GET", "/audit_events?limit=100")
        for (const canary of canaries) assert.notInclude(trail.text, canary)
        assertProblem(yield* send("DELETE", `/contacts/${yield* freshId}?erase=true`), 404, "not_found")
      })
    )

    it.effect("an agent may delete a contact, not erase one nor take everything that is known of one", () =>
      Effect.gen(function* () {
        const { id, tenant } = yield* givenCanary
        const agent = yield* givenPerson(tenant.organization, "agent")
        const what = { ...ours(tenant), token: agent.token }
        for (const [method, path, permission] of [
          ["DELETE", `/api/v1/contacts/${id}?erase=true`, "contacts.erase"],
          ["GET", `/api/v1/contacts/${id}/export`, "contacts.export"]
        ] as const) {
          const refused = yield* call(method, path, what)
          assertProblem(refused, 403, "permission_denied")
          assert.strictEqual(refused.body.permission, permission)
        }
        for (const erase of ["", "1", "yes", "TRUE"]) {
          const refused = yield* call("DELETE", `/api/v1/contacts/${id}?erase=${erase}`, what)
          assertProblem(refused, 400, "validation_failed")
        }
        assertStatus(yield* call("DELETE", `/api/v1/contacts/${id}?erase=false`, what), 204)
      })
    )

    it.effect("an answer stored for a key is not shown after the erasure of its contact", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const key = { "idempotency-key": yield* freshText("key") }
        const created = yield* send("POST", "/contacts", { name: "Marie" }, key)
        assertStatus(yield* send("DELETE", `/contacts/${idOf(created)}?erase=true`), 204)
        const repeated = yield* send("POST", "/contacts", { name: "Marie" }, key)
        assertProblem(repeated, 409, "idempotency_answer_withdrawn")
        assert.notInclude(repeated.text, "Marie")
        assertProblem(yield* send("GET", `/contacts/${idOf(created)}`), 404, "not_found")
      })
    )
  })
