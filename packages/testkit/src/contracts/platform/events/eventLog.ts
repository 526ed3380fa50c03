import { assert } from "@effect/vitest"
import {
  type Actor,
  AutomationTokenId,
  type Causation,
  CurrentActor,
  CurrentCausation,
  OrganizationId,
  Outbox,
  transact,
  UserId
} from "@parley/domain/kernel"
import { EventLog, MemberId } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import type { DomainEvent } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, present } from "../../given.ts"

const created = (): DomainEvent => ({ type: "automation.created", automationId: freshId(AutomationId) })
const removed = (): DomainEvent => ({ type: "member.removed", memberId: freshId(MemberId) })

const append = (event: DomainEvent = created()) => Effect.flatMap(Outbox, (outbox) => outbox.append(event))

const types = ["automation.created", "member.removed"]

const list = (types: ReadonlyArray<string>, after: number | null = null, limit = 100) =>
  Effect.flatMap(EventLog, (log) => log.list(types, { limit, after: after === null ? null : [String(after)] }))

const positions = Effect.map(list(types), (events) => events.map(({ position }) => position))

const oneOfEach: ReadonlyArray<DomainEvent> = [
  { type: "organization.created", organizationId: freshId(OrganizationId) },
  { type: "organization.updated", organizationId: freshId(OrganizationId) },
  { type: "organization.plan_changed", organizationId: freshId(OrganizationId), from: "free", to: "scale" },
  { type: "organization.status_changed", organizationId: freshId(OrganizationId), from: "active", to: "suspended" },
  { type: "member.invited", memberId: freshId(MemberId), role: "agent" },
  { type: "member.joined", memberId: freshId(MemberId), role: "viewer" },
  { type: "member.role_changed", memberId: freshId(MemberId), from: "owner", to: "admin" },
  removed(),
  { type: "automation_token.issued", automationTokenId: freshId(AutomationTokenId) },
  { type: "automation_token.revoked", automationTokenId: freshId(AutomationTokenId) },
  created(),
  { type: "automation.updated", automationId: freshId(AutomationId) },
  { type: "automation.enabled", automationId: freshId(AutomationId) },
  { type: "automation.disabled", automationId: freshId(AutomationId), disabledReason: null },
  { type: "automation.deleted", automationId: freshId(AutomationId) }
]

export const eventLog: StorageContract = {
  port: "Outbox and EventLog",
  promises: (it) => {
    it.effect("keeps one tenant's events out of another's sight, and counts each tenant's from 1", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* append().pipe(transact, inside(one))
        yield* append().pipe(transact, inside(one))
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [])
        yield* append().pipe(transact, inside(other))
        assert.deepStrictEqual(yield* positions.pipe(inside(one)), [1, 2])
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [1])
      })
    )

    it.effect("logs an appended event with content, time and actor", () =>
      Effect.gen(function* () {
        const now = yield* present
        const organization = yield* givenOrganization()
        const event = created()
        const actor: Actor = {
          kind: "token",
          tokenId: freshId(AutomationTokenId),
          responsibleUserId: freshId(UserId),
          permissions: new Set()
        }
        yield* append(event).pipe(Effect.provideService(CurrentActor, actor), transact, inside(organization))
        const [logged] = yield* list(types).pipe(inside(organization))
        assert.deepStrictEqual(logged, {
          position: 1,
          at: now,
          actor: { kind: "token", id: actor.tokenId },
          causation: null,
          event
        })
      })
    )

    it.effect("logs which automations an event comes from, and nothing of that for the next unit of work", () =>
      Effect.gen(function* () {
        const causation: Causation = {
          depth: 2,
          root: 7,
          via: [
            { kind: "automation", id: freshId(AutomationId) },
            { kind: "workflow", id: freshId(AutomationId) }
          ]
        }
        yield* Effect.gen(function* () {
          yield* append().pipe(transact, Effect.provideService(CurrentCausation, causation))
          yield* transact(append())
          const logged = yield* list(types)
          assert.deepStrictEqual(
            logged.map(({ causation }) => causation),
            [causation, null]
          )
          const log = yield* EventLog
          assert.deepStrictEqual(yield* log.at([1, 2]), logged)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("logs every kind of event", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* transact(Effect.forEach(oneOfEach, append))
          const logged = yield* list(oneOfEach.map(({ type }) => type))
          assert.deepStrictEqual(
            logged.map(({ event }) => ({ ...event })),
            oneOfEach.map((event) => ({ ...event }))
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts the events of a unit of work in the order they were appended", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const [first, second, third] = [created(), removed(), created()]
          yield* append(first).pipe(Effect.andThen(append(second)), transact)
          yield* transact(append(third))
          const logged = yield* list(types)
          assert.deepStrictEqual(
            logged.map(({ event, position }) => [position, { ...event }]),
            [
              [1, first],
              [2, second],
              [3, third]
            ]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a failed unit of work leaves nothing, and no gap", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* transact(append())
          yield* append().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          yield* append().pipe(Effect.andThen(Effect.interrupt), transact, Effect.exit)
          yield* transact(append())
          assert.deepStrictEqual(yield* positions, [1, 2])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a nested unit of work that fails takes its own events back, and leaves no gap", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const [first, kept, last] = [created(), created(), created()]
          yield* append(first).pipe(
            Effect.andThen(append(removed()).pipe(Effect.andThen(Effect.fail("inner")), transact, Effect.ignore)),
            Effect.andThen(transact(append(kept))),
            Effect.andThen(append(last)),
            transact
          )
          const logged = yield* list(types)
          assert.deepStrictEqual(
            logged.map(({ event, position }) => [position, { ...event }]),
            [
              [1, first],
              [2, kept],
              [3, last]
            ]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a unit of work may append to more than one organization", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* append().pipe(transact, inside(other))
        yield* transact(
          Effect.gen(function* () {
            yield* append().pipe(inside(one))
            yield* append().pipe(inside(other))
            yield* append().pipe(inside(one))
          })
        )
        assert.deepStrictEqual(yield* positions.pipe(inside(one)), [1, 2])
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [1, 2])
      })
    )

    it.effect("reads page after page, oldest first, while others come", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* Effect.replicateEffect(transact(append()), 5, { discard: true })
          const page = (after: number | null) =>
            Effect.map(list(types, after, 2), (page) => page.map(({ position }) => position))
          assert.deepStrictEqual(yield* page(null), [1, 2])
          assert.deepStrictEqual(yield* page(0), [1, 2])
          yield* transact(append())
          assert.deepStrictEqual(yield* page(2), [3, 4])
          assert.deepStrictEqual(yield* page(4), [5, 6])
          assert.deepStrictEqual(yield* page(6), [])
          yield* transact(append())
          assert.deepStrictEqual(yield* page(6), [7])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts positions as numbers, not as texts", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* transact(Effect.replicateEffect(append(), 12))
          const page = yield* list(types, 9)
          assert.deepStrictEqual(
            page.map(({ position }) => position),
            [10, 11, 12]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reads only the types that were asked for, and fills the page with them", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          for (const event of [created(), removed(), created(), removed(), removed()]) yield* transact(append(event))
          const read = (types: ReadonlyArray<string>, limit = 100) =>
            Effect.map(list(types, null, limit), (events) => events.map(({ position }) => position))
          assert.deepStrictEqual(yield* read(["member.removed"]), [2, 4, 5])
          assert.deepStrictEqual(yield* read(["member.removed"], 2), [2, 4])
          assert.deepStrictEqual(yield* read(["automation.deleted"]), [])
          assert.deepStrictEqual(yield* read([]), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("of many concurrent units of work, each gets a position, without gaps or repeats", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const work = (index: number) =>
            append().pipe(
              Effect.tap(Effect.yieldNow),
              Effect.andThen(append()),
              Effect.andThen(index % 4 === 0 ? Effect.fail("refused") : Effect.void),
              transact,
              Effect.ignore
            )
          yield* Effect.forEach(
            Array.from({ length: 20 }, (_, index) => index),
            work,
            { concurrency: "unbounded", discard: true }
          )
          assert.deepStrictEqual(
            yield* positions,
            Array.from({ length: 30 }, (_, index) => index + 1)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a reader who follows the log misses nothing while others write", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const seen: Array<number> = []
          const follow = Effect.gen(function* () {
            while (seen.length < 40) {
              const page = yield* list(types, seen.at(-1) ?? null, 7)
              for (const { position } of page) seen.push(position)
              yield* Effect.yieldNow
            }
          })
          const write = append().pipe(Effect.tap(Effect.yieldNow), Effect.andThen(append()), transact)
          yield* Effect.all([follow, Effect.replicateEffect(write, 20, { concurrency: 5 })], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            seen,
            Array.from({ length: 40 }, (_, index) => index + 1)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("knows the position of the last event, which is 0 before the first one", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const head = Effect.flatMap(EventLog, (log) => log.head())
          assert.strictEqual(yield* head, 0)
          yield* transact(Effect.andThen(append(), append(removed())))
          assert.strictEqual(yield* head, 2)
          yield* append().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          assert.strictEqual(yield* head, 2)
        }).pipe(inside(organization))
        yield* transact(append()).pipe(inside(yield* givenOrganization()))
        const head = yield* Effect.flatMap(EventLog, (log) => log.head()).pipe(inside(organization))
        assert.strictEqual(head, 2)
      })
    )

    it.effect("keeps the time of each event to the millisecond", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const first = yield* present
          yield* transact(append())
          yield* TestClock.adjust("1 milli")
          const second = yield* DateTime.now
          yield* transact(append())
          const logged = yield* list(types)
          assert.deepStrictEqual(
            logged.map(({ at }) => DateTime.formatIso(at)),
            [first, second].map(DateTime.formatIso)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Contract of `Outbox` with its `EventLog`. */
export const eventLogContract = runContract(eventLog)
