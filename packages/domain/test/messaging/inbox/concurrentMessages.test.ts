import { assert, layer } from "@effect/vitest"
import { CurrentRequest } from "@parley/domain/kernel"
import { AuditLog } from "@parley/domain/platform"
import { getConversation, type NewMessage, sendMessage } from "@parley/domain/messaging"
import {
  asOperatorOf,
  asPerson,
  givenConversation,
  givenMember,
  givenOrganization,
  type Of,
  TestKit
} from "@parley/testkit"
import { Clock, DateTime, Duration, Effect } from "effect"
import { traced } from "../../crm/traces.ts"
import { tagOf } from "../../tagOf.ts"

const text = (content: string): NewMessage => ({ kind: "text", text: content })

const unknownId = "01990000-0000-7000-8000-00000000dead"

const anything = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

const auditOf = (organization: Of) =>
  Effect.flatMap(AuditLog, (log) => log.list(anything, { limit: 100, after: null })).pipe(asOperatorOf(organization))

layer(TestKit.layer)("messages that are written at the same time", (it) => {
  it.effect("have the author, the request and the audit entry of their own caller", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const people = [yield* givenMember(organization, "agent"), yield* givenMember(organization, "admin")]
      const conversations = [yield* givenConversation(organization), yield* givenConversation(organization)]
      const [first, second] = conversations
      const written = yield* Effect.forEach(
        people.flatMap((person, index) =>
          conversations.map(({ id }) => ({ person, id, requestId: `request-${index}` }))
        ),
        ({ id, person, requestId }) =>
          sendMessage({ id, ...text(requestId) }).pipe(
            asPerson(organization, person),
            Effect.provideService(CurrentRequest, { id: requestId })
          ),
        { concurrency: "unbounded" }
      )
      const authors = written.map(({ author, text }) => [author.id, text])
      assert.deepStrictEqual(
        authors,
        people.flatMap(({ user }, index) => conversations.map(() => [user.id, `request-${index}`]))
      )
      const entries = yield* auditOf(organization)
      for (const { author, id, text } of written) {
        const entry = entries.find(({ target }) => target.id === id)
        assert.deepStrictEqual([entry?.actor.id, entry?.requestId], [author.id, text])
      }
      assert(first !== undefined && second !== undefined)
      const shown = yield* getConversation({ id: first.id }).pipe(asOperatorOf(organization))
      assert.strictEqual(shown.lastMessage?.text, "request-1")
    })
  )

  it.effect("have the time of their own caller", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const conversation = yield* givenConversation(organization)
      const clock = yield* Clock.Clock
      const earlier = {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() - 60_000,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis - 60_000)
      }
      const write = sendMessage({ id: conversation.id, ...text("Hello") }).pipe(asOperatorOf(organization))
      const [past, present] = yield* Effect.all([Effect.provideService(write, Clock.Clock, earlier), write], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(DateTime.distance(past.at, present.at), Duration.minutes(1))
    })
  )

  it.effect("are refused one by one", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const open = yield* givenConversation(organization)
      const closed = yield* givenConversation(organization, { windowExpiresAt: DateTime.makeUnsafe(0) })
      const resolved = yield* givenConversation(organization, { status: "resolved", resolvedAt: yield* DateTime.now })
      const ids = [open.id, closed.id, unknownId as typeof open.id, resolved.id, open.id]
      const { answer: outcomes, events } = yield* traced(
        organization,
        Effect.forEach(ids, (id) => tagOf(sendMessage({ id, ...text("Hello") })), { concurrency: "unbounded" })
      ).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(outcomes, ["ok", "ServiceWindowClosed", "NotFound", "ok", "ok"])
      assert.deepStrictEqual(events.filter(({ type }) => type === "message.queued").length, 3)
    })
  )
})
