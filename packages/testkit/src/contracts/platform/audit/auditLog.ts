import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { AuditEvent, AuditEventId, type AuditFilter, AuditLog, platformOrganizationId } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, freshText, givenOrganization, inside, plain } from "../../given.ts"

const start = DateTime.makeUnsafe("2026-04-05T06:07:08.009Z")

const everything: AuditFilter = {
  actorId: null,
  targetKind: null,
  targetId: null,
  action: null,
  from: null,
  to: null
}

const newEvent = (overrides: Partial<AuditEvent> = {}) =>
  new AuditEvent({
    id: freshId(AuditEventId),
    actor: { kind: "user", id: freshText("actor") },
    action: "thing.changed",
    target: { kind: "thing", id: freshText("thing") },
    before: null,
    after: null,
    requestId: null,
    at: start,
    ...overrides
  })

const append = Effect.fnUntraced(function* (event = newEvent()) {
  yield* transact((yield* AuditLog).append(event))
  return event
})

const list = (filter: Partial<AuditFilter> = {}, after: string | null = null, limit = 100) =>
  Effect.flatMap(AuditLog, (log) =>
    log.list({ ...everything, ...filter }, { limit, after: after === null ? null : [after] })
  )

export const auditLog: StorageContract = {
  port: "AuditLog",
  promises: (it) => {
    it.effect("keeps one tenant's trail out of another's sight", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const event = yield* append().pipe(inside(one))
        assert.lengthOf(yield* list().pipe(inside(other)), 0)
        assert.lengthOf(yield* list({ targetId: event.target.id }).pipe(inside(other)), 0)
        assert.deepStrictEqual((yield* list().pipe(inside(one))).map(plain.auditEvent), [plain.auditEvent(event)])
      })
    )

    it.effect("stores entries without an organization under the platform", () =>
      Effect.gen(function* () {
        const event = newEvent()
        yield* append(event).pipe(inside({ id: platformOrganizationId }))
        const kept = yield* list({ targetId: event.target.id }).pipe(inside({ id: platformOrganizationId }))
        assert.deepStrictEqual(kept.map(plain.auditEvent), [plain.auditEvent(event)])
        const elsewhere = yield* givenOrganization()
        assert.lengthOf(yield* list({ targetId: event.target.id }).pipe(inside(elsewhere)), 0)
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* append().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          assert.lengthOf(yield* list(), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps every field, with any JSON before and after", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const full = yield* append(
            newEvent({
              actor: { kind: "operator", id: "root “admin” \\ '" },
              before: { name: "O'Neill \\ \" 🥐 % _", count: 1.5, on: true, nothing: null, list: [1, "two", null] },
              after: { deep: { er: [{ x: [] }] }, "key with . and '": "", unicode: "\u2028" },
              requestId: "req-1"
            })
          )
          const bare = yield* append(newEvent({ before: {}, actor: { kind: "system", id: "" } }))
          assert.deepStrictEqual((yield* list()).map(plain.auditEvent), [bare, full].map(plain.auditEvent))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reads by actor, by target, by action and by time, where all that is asked must hold", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const actor = { kind: "user", id: freshText("actor") } as const
          const target = { kind: "member", id: freshText("member") }
          const byActor = yield* append(newEvent({ actor }))
          const onTarget = yield* append(newEvent({ target }))
          const onKind = yield* append(newEvent({ target: { kind: "member", id: freshText("member") } }))
          const didThat = yield* append(newEvent({ action: "thing.removed" }))
          const allOfIt = yield* append(newEvent({ actor, target, action: "thing.removed" }))
          const ids = (filter: Partial<AuditFilter>) => Effect.map(list(filter), (events) => events.map(({ id }) => id))
          assert.deepStrictEqual(yield* ids({ actorId: actor.id }), [allOfIt.id, byActor.id])
          assert.deepStrictEqual(yield* ids({ targetId: target.id }), [allOfIt.id, onTarget.id])
          assert.deepStrictEqual(yield* ids({ targetKind: "member" }), [allOfIt.id, onKind.id, onTarget.id])
          assert.deepStrictEqual(yield* ids({ action: "thing.removed" }), [allOfIt.id, didThat.id])
          assert.deepStrictEqual(
            yield* ids({ actorId: actor.id, targetKind: "member", targetId: target.id, action: "thing.removed" }),
            [allOfIt.id]
          )
          assert.deepStrictEqual(yield* ids({ actorId: actor.id, targetId: onKind.target.id }), [])
          assert.deepStrictEqual(yield* ids({ action: "thing.%" }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reads from an instant on, and up to just before another", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const times = [0, 1, 2].map((millis) => after(start, millis))
          const [first, second, third] = yield* Effect.forEach(times, (at) => append(newEvent({ at })))
          const ids = (filter: Partial<AuditFilter>) => Effect.map(list(filter), (events) => events.map(({ id }) => id))
          const [zero, one, two] = times
          if (!first || !second || !third || !zero || !one || !two) return assert.fail("there are three")
          assert.deepStrictEqual(yield* ids({ from: one }), [third.id, second.id])
          assert.deepStrictEqual(yield* ids({ to: one }), [first.id])
          assert.deepStrictEqual(yield* ids({ from: zero, to: two }), [second.id, first.id])
          assert.deepStrictEqual(yield* ids({ from: two, to: two }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists the newest first, page after page, while others come", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const other = yield* append(newEvent({ action: "other" }))
          const events = yield* Effect.replicateEffect(
            Effect.suspend(() => append(newEvent())),
            4
          )
          const [first, second, third, fourth] = events.map(({ id }) => id)
          const page = (after: string | null) =>
            Effect.map(list({ action: "thing.changed" }, after, 2), (page) => page.map(({ id }) => id))
          assert.deepStrictEqual(yield* page(null), [fourth, third])
          yield* append()
          assert.deepStrictEqual(yield* page(third ?? ""), [second, first])
          assert.deepStrictEqual(yield* page(first ?? ""), [])
          assert.strictEqual((yield* list({}, first ?? "", 2))[0]?.id, other.id)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const auditLogContract = runContract(auditLog)
