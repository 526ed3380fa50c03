import { assert } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { givenConversation, provider } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenPerson, givenTenant } from "../harness/tenants.ts"

/** Words of the team on a conversation. */
export const notesSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a note is written, read, changed and deleted, and never reaches the contact", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id } = yield* givenConversation(tenant.organization)
        const before = (yield* (yield* provider).sent).length
        const path = `/conversations/${id}/notes`
        const colleague = yield* givenPerson(tenant.organization)
        const created = yield* added(tenant, path, { text: "Ask Mary.", mentions: [colleague.user.id] })
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          conversationId: id,
          author: { kind: "user", id: tenant.owner.user.id },
          text: "Ask Mary.",
          mentions: [colleague.user.id],
          createdAt: textAt(created, "createdAt"),
          editedAt: null,
          version: 1
        })
        assert.deepStrictEqual(rowsOf(yield* send("GET", path)), [created.body])
        yield* TestClock.adjust("1 second")
        const one = `${path}/${idOf(created)}`
        const changed = yield* send("PATCH", one, { text: "Mary knows.", mentions: [] }, { "if-match": "1" })
        assert.deepStrictEqual([changed.body.text, changed.body.mentions, changed.body.version], ["Mary knows.", [], 2])
        assert.isString(changed.body.editedAt)
        assertProblem(yield* send("PATCH", one, { text: "x" }, { "if-match": "1" }), 412, "version_conflict")
        assertStatus(yield* send("DELETE", one), 204)
        assertProblem(yield* send("DELETE", one), 404, "not_found")
        assert.lengthOf(yield* (yield* provider).sent, before)
        assert.isEmpty(rowsOf(yield* send("GET", `/conversations/${id}/messages`)))
      })
    )

    it.effect("only its author changes a note; members.manage may delete it", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const [author, other] = [yield* givenPerson(tenant.organization), yield* givenPerson(tenant.organization)]
        const { id } = yield* givenConversation(tenant.organization)
        const by = (person: typeof author, method: string, path: string, body?: unknown) =>
          call(method, `/api/v1/conversations/${id}/notes${path}`, {
            token: person.token,
            organization: tenant.organization.id,
            ...(body !== undefined && { body })
          })
        const note = textAt(yield* by(author, "POST", "", { text: "Mine." }), "id")
        assertProblem(yield* by(other, "PATCH", `/${note}`, { text: "Ours." }), 403, "not_note_author")
        assertProblem(yield* by(other, "DELETE", `/${note}`), 403, "not_note_author")
        assertProblem(yield* by(tenant.owner, "PATCH", `/${note}`, { text: "Ours." }), 403, "not_note_author")
        assertStatus(yield* by(author, "PATCH", `/${note}`, { text: "Still mine." }), 200)
        assertStatus(yield* by(tenant.owner, "DELETE", `/${note}`), 204)
      })
    )

    it.effect("a note is of its conversation, and mentions members only", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const [one, another] = [
          yield* givenConversation(tenant.organization),
          yield* givenConversation(tenant.organization)
        ]
        const note = idOf(yield* added(tenant, `/conversations/${one.id}/notes`, { text: "Here." }))
        assert.isEmpty(idsOf(yield* send("GET", `/conversations/${another.id}/notes`)))
        const elsewhere = `/conversations/${another.id}/notes/${note}`
        assertProblem(yield* send("PATCH", elsewhere, { text: "There." }), 404, "not_found")
        assertProblem(yield* send("DELETE", elsewhere), 404, "not_found")
        const stranger = yield* send("POST", `/conversations/${one.id}/notes`, {
          text: "You?",
          mentions: [yield* freshId]
        })
        assertProblem(stranger, 404, "not_found")
        assert.include(String(stranger.body.pointer), "/mentions")
        const twice = yield* send("POST", `/conversations/${one.id}/notes`, {
          text: "",
          mentions: [tenant.owner.user.id, tenant.owner.user.id]
        })
        assert.deepStrictEqual(pointersOf(twice), ["/mentions", "/text"])
        assert.lengthOf(rowsOf(yield* send("GET", `/conversations/${one.id}/notes`)), 1)
        assert.strictEqual(at(rowsOf(yield* send("GET", `/conversations/${one.id}/notes`)), 0, "id"), note)
      })
    )
  })
