import { assert } from "@effect/vitest"
import { wakeSnoozed } from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, idsOf, pointersOf, textAt, whenNotBusy } from "../harness/answers.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { deliver, givenConversation, givenMessage, givenNumber, written } from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenContact, givenPerson, givenTenant, signedInAnew, type Tenant } from "../harness/tenants.ts"

const inAnHour = Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.add(now, { hours: 1 })))

const moves = ["resolve", "reopen", "snooze", "pending"] as const

/** Tries to bring a conversation there. */
const move = Effect.fnUntraced(function* (tenant: Tenant, id: string, to: (typeof moves)[number]) {
  const path = `/conversations/${id}`
  if (to === "pending") return yield* as(tenant)("PATCH", path, { status: "pending" })
  return yield* as(tenant)("POST", `${path}/${to}`, to === "snooze" ? { until: yield* inAnHour } : undefined)
})

const reached = { resolve: "resolved", reopen: "open", snooze: "snoozed", pending: "pending" } as const

const allowed = {
  open: ["pending", "snoozed", "resolved"],
  pending: ["open", "snoozed", "resolved"],
  snoozed: ["open", "resolved"],
  resolved: ["open"]
} as const

const everyMove = (["open", "pending", "snoozed", "resolved"] as const).flatMap((from) =>
  moves.map((how) => ({ from, how, to: reached[how] }))
)

/** The inbox. */
export const conversationsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a conversation includes its assignee and its contact on request", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const conversation = yield* givenConversation(tenant.organization)
        const path = `/conversations/${conversation.id}`
        const nobodys = yield* as(tenant)("GET", `${path}?expand=assignee`)
        assert.deepStrictEqual(at(nobodys.body, "expanded"), { assignee: null })
        yield* as(tenant)("POST", `${path}/assign`, { assigneeId: "me" })
        const whole = yield* as(tenant)("GET", `${path}?expand=contact,assignee`)
        const members = yield* as(tenant)("GET", "/members")
        const contact = yield* as(tenant)("GET", `/contacts/${conversation.contactId}`)
        assert.deepStrictEqual(at(whole.body, "expanded"), {
          assignee: at(members.body, "data", 0),
          contact: contact.body
        })
        const listed = yield* as(tenant)("GET", "/conversations?expand=assignee,contact")
        assert.deepStrictEqual(at(listed.body, "data", 0), whole.body)
        const wrong = yield* as(tenant)("GET", "/conversations?expand=tags")
        assertProblem(wrong, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(wrong), ["/query/expand"])
        assert.include(JSON.stringify(wrong.body), "Expected some of: assignee, contact")
      })
    )

    it.effect("a conversation begins with a contact over a number, once", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const contact = yield* givenContact(tenant.organization)
        const { id: chatAccountId } = yield* givenNumber(tenant.organization)
        const input = { contactId: contact.id, chatAccountId }
        const created = yield* added(tenant, "/conversations", { ...input, labels: ["new"], priority: "high" })
        const now = textAt(created, "createdAt")
        assert.deepStrictEqual(created.body, {
          id: idOf(created),
          contact: { id: contact.id, name: contact.name, phone: null },
          chatAccountId,
          recipient: null,
          status: "open",
          priority: "high",
          assigneeId: null,
          snoozedUntil: null,
          unreadCount: 0,
          lastMessage: null,
          lastInboundAt: null,
          lastActivityAt: now,
          waitingSince: null,
          firstRepliedAt: null,
          window: { open: false, expiresAt: null },
          freeEntryPoint: null,
          labels: ["new"],
          createdAt: now,
          updatedAt: now,
          version: 1
        })
        const phone = "+491701234567"
        const chosen = { recipient: { kind: "phone", value: "+49 170 1234568" } }
        const strange = yield* as(tenant)("PATCH", `/conversations/${idOf(created)}`, chosen)
        assertProblem(strange, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(strange), ["/recipient"])
        const known = { phone, addIdentities: [chosen.recipient] }
        assertStatus(yield* as(tenant)("PATCH", `/contacts/${contact.id}`, known), 200)
        const read = yield* as(tenant)("GET", `/conversations/${idOf(created)}`)
        assert.deepStrictEqual(read.body.recipient, { kind: "phone", value: phone })
        const moved = yield* as(tenant)("PATCH", `/conversations/${idOf(created)}`, chosen)
        assert.deepStrictEqual(moved.body.recipient, { kind: "phone", value: "+491701234568" })
        const stranger = yield* added(tenant, "/contacts", { phone: "+491701234569" })
        const taken = yield* as(tenant)("PATCH", `/conversations/${idOf(created)}`, {
          recipient: { kind: "phone", value: "+491701234569" }
        })
        assertProblem(taken, 409, "recipient_reassigned")
        assert.strictEqual(taken.body.contactId, idOf(stranger))
        const again = yield* as(tenant)("POST", "/conversations", input)
        assertProblem(again, 409, "conversation_exists")
        assert.strictEqual(again.body.conversationId, idOf(created))
        const { id: other } = yield* givenNumber(tenant.organization)
        assertStatus(yield* as(tenant)("POST", "/conversations", { ...input, chatAccountId: other }), 201)
        const many = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => whenNotBusy(as(tenant)("POST", "/conversations", { ...input, chatAccountId: other })),
          { concurrency: "unbounded" }
        )
        for (const answer of many) assertProblem(answer, 409, "conversation_exists")
      })
    )

    it.effect.each(everyMove)("from $from by $how", ({ from, how, to }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenConversation(tenant.organization, {
          status: from,
          ...(from === "snoozed" && { snoozedUntil: DateTime.add(yield* DateTime.now, { hours: 2 }) })
        })
        const answer = yield* move(tenant, id, how)
        // Asking for the status it has is no change where the status is a field, and moves the time where there is one.
        const mayStay = from === to && (how === "pending" || how === "snooze")
        if (mayStay || allowed[from].some((each) => each === to)) {
          assertStatus(answer, 200)
          assert.strictEqual(answer.body.status, to)
          assert.strictEqual(answer.body.snoozedUntil === null, to !== "snoozed")
          return
        }
        assertProblem(answer, 409, "conversation_transition_invalid")
        assert.deepStrictEqual([answer.body.from, answer.body.to, answer.body.allowed], [from, to, allowed[from]])
        assert.strictEqual((yield* as(tenant)("GET", `/conversations/${id}`)).body.status, from)
      })
    )

    it.effect("a snoozed one returns in time, and past times are refused", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenConversation(tenant.organization)
        const past = yield* as(tenant)("POST", `/conversations/${id}/snooze`, { until: "2026-01-01T00:00:00Z" })
        assertProblem(past, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(past), ["/until"])
        assertStatus(yield* move(tenant, id, "snooze"), 200)
        yield* TestClock.adjust("1 hour")
        yield* wakeSnoozed
        const awake = yield* as(yield* signedInAnew(tenant))("GET", `/conversations/${id}`)
        assert.deepStrictEqual([awake.body.status, awake.body.snoozedUntil], ["open", null])
      })
    )

    it.effect("it is assigned to permitted members only, and unassigned", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenConversation(tenant.organization)
        const agent = yield* givenPerson(tenant.organization)
        const viewer = yield* givenPerson(tenant.organization, "viewer")
        const assign = (assigneeId: unknown) => as(tenant)("POST", `/conversations/${id}/assign`, { assigneeId })
        assert.strictEqual((yield* assign(agent.user.id)).body.assigneeId, agent.user.id)
        for (const nobody of [viewer.user.id, yield* freshId]) {
          const answer = yield* assign(nobody)
          assertProblem(answer, 404, "not_found")
          assert.strictEqual(answer.body.pointer, "/assigneeId")
        }
        assert.isNull((yield* assign(null)).body.assigneeId)
        assert.strictEqual((yield* assign("me")).body.assigneeId, tenant.owner.user.id)
        assert.deepStrictEqual(pointersOf(yield* as(tenant)("POST", `/conversations/${id}/assign`, {})), [
          "/assigneeId"
        ])
      })
    )

    it.effect("priority, labels and assignee are changed together, for the version that was seen", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { id } = yield* givenConversation(tenant.organization)
        const path = `/conversations/${id}`
        const patch = { priority: "urgent", labels: ["bread", "vip"], assigneeId: tenant.owner.user.id }
        const changed = yield* as(tenant)("PATCH", path, patch, { "if-match": "1" })
        assertStatus(changed, 200)
        for (const [field, value] of Object.entries(patch)) assert.deepStrictEqual(changed.body[field], value)
        assert.strictEqual(changed.body.version, 2)
        assertProblem(yield* as(tenant)("PATCH", path, { labels: [] }, { "if-match": "1" }), 412, "version_conflict")
        const faulty = yield* as(tenant)("PATCH", path, { labels: ["x", "x"], priority: "now", status: "snoozed" })
        assert.deepStrictEqual(pointersOf(faulty), ["/labels", "/priority", "/status"])
      })
    )

    it.effect("filters combine", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { organization, owner } = tenant
        const { id: chatAccountId } = yield* givenNumber(organization)
        const mine = yield* givenConversation(organization, {
          chatAccountId,
          assigneeId: owner.user.id,
          priority: "high",
          labels: ["bread"],
          readCount: 1
        })
        yield* TestClock.adjust("1 second")
        const free = yield* givenConversation(organization, { status: "pending" })
        yield* TestClock.adjust("1 second")
        const done = yield* givenConversation(organization, { status: "resolved", readCount: 1 })
        yield* givenMessage(organization, mine, { text: "Is the rye bread sourdough?" })
        const ids = (query: string) => Effect.map(as(tenant)("GET", `/conversations${query}`), idsOf)
        assert.deepStrictEqual(yield* ids(""), [done.id, free.id, mine.id])
        assert.deepStrictEqual(yield* ids("?sort=createdAt"), [mine.id, free.id, done.id])
        assert.deepStrictEqual(yield* ids("?status=open"), [mine.id])
        assert.deepStrictEqual(yield* ids("?status=open&status=pending"), [free.id, mine.id])
        assert.deepStrictEqual(yield* ids("?assignee=me"), [mine.id])
        assert.deepStrictEqual(yield* ids("?assignee=none"), [done.id, free.id])
        assert.deepStrictEqual(yield* ids(`?assignee=${owner.user.id}`), [mine.id])
        assert.deepStrictEqual(yield* ids("?unread=true"), [free.id])
        assert.deepStrictEqual(yield* ids("?unread=false"), [done.id, mine.id])
        assert.deepStrictEqual(yield* ids("?priority=high"), [mine.id])
        assert.deepStrictEqual(yield* ids("?label=bread"), [mine.id])
        assert.deepStrictEqual(yield* ids("?label=cake&label=bread"), [mine.id])
        assert.deepStrictEqual(yield* ids(`?chatAccountId=${chatAccountId}`), [mine.id])
        assert.deepStrictEqual(yield* ids(`?contactId=${free.contactId}`), [free.id])
        assert.deepStrictEqual(yield* ids("?q=sour%20BREAD"), [mine.id])
        assert.deepStrictEqual(yield* ids("?q=wheat"), [])
        assert.deepStrictEqual(yield* ids("?status=open&unread=true"), [])
        for (const field of ["assignee", "chatAccountId", "contactId"]) {
          const missing = yield* as(tenant)("GET", `/conversations?${field}=${yield* freshId}`)
          assertProblem(missing, 404, "not_found")
          assert.strictEqual(missing.body.pointer, `/query/${field}`)
        }
        const faulty = yield* as(tenant)("GET", "/conversations?status=done&unread=maybe&assignee=x&sort=name")
        assert.deepStrictEqual(Array.from(new Set(pointersOf(faulty))), [
          "/query/assignee",
          "/query/sort",
          "/query/status/0",
          "/query/unread"
        ])
        const counts = yield* as(tenant)("GET", "/conversations/counts")
        assert.deepStrictEqual(counts.body, {
          open: 1,
          pending: 1,
          snoozed: 0,
          resolved: 1,
          mine: 1,
          unassigned: 1,
          unread: 1
        })
      })
    )

    it.effect("a bulk change applies to many and names refused conversations", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const open = yield* givenConversation(tenant.organization)
        const resolved = yield* givenConversation(tenant.organization, { status: "resolved" })
        const missing = yield* freshId
        const ids = [open.id, resolved.id, missing]
        const snoozed = yield* as(tenant)("POST", "/conversations/bulk", {
          ids,
          action: { type: "snooze", until: yield* inAnHour }
        })
        assertStatus(snoozed, 200)
        assert.deepStrictEqual([snoozed.body.changed, snoozed.body.unchanged], [1, 0])
        const refused = at(snoozed.body, "refused")
        assert.deepStrictEqual(
          Array.isArray(refused) ? refused.map((each) => [at(each, "id"), at(each, "code")]) : refused,
          [
            [missing, "not_found"],
            [resolved.id, "conversation_transition_invalid"]
          ]
        )
        const labelled = yield* as(tenant)("POST", "/conversations/bulk", {
          ids: [open.id, resolved.id],
          action: { type: "add_labels", labels: ["later"] }
        })
        assert.deepStrictEqual(labelled.body, { changed: 2, unchanged: 0, refused: [] })
        assert.deepStrictEqual((yield* as(tenant)("GET", `/conversations/${open.id}`)).body.labels, ["later"])
        const faulty = yield* as(tenant)("POST", "/conversations/bulk", { ids: [], action: { type: "read" } })
        assert.deepStrictEqual(pointersOf(faulty), ["/ids"])
      })
    )

    it.effect("received messages count as unread until read", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        for (const text of ["Hello?", "Anybody there?"]) {
          assertStatus(yield* deliver(tenant.organization, account, [yield* written(account, text)]), 200)
        }
        const list = yield* as(tenant)("GET", "/conversations?unread=true")
        const [id] = idsOf(list)
        assert.deepStrictEqual(
          [at(list.body, "data", 0, "unreadCount"), at(list.body, "data", 0, "lastMessage", "text")],
          [2, "Anybody there?"]
        )
        assert.strictEqual(at(list.body, "data", 0, "window", "open"), true)
        const read = yield* as(tenant)("POST", `/conversations/${id}/read`)
        assert.deepStrictEqual([read.status, read.body.unreadCount], [200, 0])
        assert.isEmpty(idsOf(yield* as(tenant)("GET", "/conversations?unread=true")))
      })
    )

    it.effect("a contact who writes again opens the conversation that was resolved", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        yield* deliver(tenant.organization, account, [yield* written(account, "Hello?")])
        const [id = ""] = idsOf(yield* as(tenant)("GET", "/conversations"))
        assertStatus(yield* move(tenant, id, "resolve"), 200)
        yield* TestClock.adjust("1 hour")
        yield* deliver(tenant.organization, account, [yield* written(account, "One more thing.")])
        const now = yield* signedInAnew(tenant)
        assert.deepStrictEqual(idsOf(yield* as(now)("GET", "/conversations?status=open")), [id])
      })
    )
  })
