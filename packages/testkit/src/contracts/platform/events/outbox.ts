import { assert } from "@effect/vitest"
import {
  type Actor,
  AutomationTokenId,
  type Causation,
  CurrentActor,
  CurrentCausation,
  OrganizationId,
  transact,
  UserId
} from "@parley/domain/kernel"
import { EventLog, MemberId } from "@parley/domain/platform"
import { AutomationId } from "@parley/domain/automation"
import type { DomainEvent } from "@parley/domain/composition"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, present } from "../../given.ts"
import { automationCreated, memberRemoved, appendEvent, types, list } from "./givenEvents.ts"

const positions = Effect.map(list(types), (events) => events.map(({ position }) => position))

const oneOfEach: ReadonlyArray<DomainEvent> = [
  { type: "organization.created", organizationId: freshId(OrganizationId) },
  { type: "organization.updated", organizationId: freshId(OrganizationId) },
  { type: "organization.plan_changed", organizationId: freshId(OrganizationId), from: "free", to: "scale" },
  { type: "organization.status_changed", organizationId: freshId(OrganizationId), from: "active", to: "suspended" },
  { type: "member.invited", memberId: freshId(MemberId), role: "agent" },
  { type: "member.joined", memberId: freshId(MemberId), role: "viewer" },
  { type: "member.role_changed", memberId: freshId(MemberId), from: "owner", to: "admin" },
  memberRemoved(),
  { type: "automation_token.issued", automationTokenId: freshId(AutomationTokenId) },
  { type: "automation_token.revoked", automationTokenId: freshId(AutomationTokenId) },
  automationCreated(),
  { type: "automation.updated", automationId: freshId(AutomationId) },
  { type: "automation.enabled", automationId: freshId(AutomationId) },
  { type: "automation.disabled", automationId: freshId(AutomationId), disabledReason: null },
  { type: "automation.deleted", automationId: freshId(AutomationId) }
]

export const outbox: StorageContract = {
  port: "Outbox",
  promises: (it) => {
    it.effect("hides the events of one tenant from another, and counts the events of each tenant from 1", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* appendEvent().pipe(transact, inside(one))
        yield* appendEvent().pipe(transact, inside(one))
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [])
        yield* appendEvent().pipe(transact, inside(other))
        assert.deepStrictEqual(yield* positions.pipe(inside(one)), [1, 2])
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [1])
      })
    )

    it.effect("logs an appended event with content, time and actor", () =>
      Effect.gen(function* () {
        const now = yield* present
        const organization = yield* givenOrganization()
        const event = automationCreated()
        const actor: Actor = {
          kind: "token",
          tokenId: freshId(AutomationTokenId),
          responsibleUserId: freshId(UserId),
          permissions: new Set()
        }
        yield* appendEvent(event).pipe(Effect.provideService(CurrentActor, actor), transact, inside(organization))
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

    it.effect("logs the automations that caused an event, and none of them for the next unit of work", () =>
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
          yield* appendEvent().pipe(transact, Effect.provideService(CurrentCausation, causation))
          yield* transact(appendEvent())
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
          yield* transact(Effect.forEach(oneOfEach, appendEvent))
          const logged = yield* list(oneOfEach.map(({ type }) => type))
          assert.deepStrictEqual(
            logged.map(({ event }) => ({ ...event })),
            oneOfEach.map((event) => ({ ...event }))
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts the events of a unit of work in the order of their appends", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const [first, second, third] = [automationCreated(), memberRemoved(), automationCreated()]
          yield* appendEvent(first).pipe(Effect.andThen(appendEvent(second)), transact)
          yield* transact(appendEvent(third))
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
          yield* transact(appendEvent())
          yield* appendEvent().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          yield* appendEvent().pipe(Effect.andThen(Effect.interrupt), transact, Effect.exit)
          yield* transact(appendEvent())
          assert.deepStrictEqual(yield* positions, [1, 2])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a failed nested unit of work removes its own events, and leaves no gap", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const [first, kept, last] = [automationCreated(), automationCreated(), automationCreated()]
          yield* appendEvent(first).pipe(
            Effect.andThen(
              appendEvent(memberRemoved()).pipe(Effect.andThen(Effect.fail("inner")), transact, Effect.ignore)
            ),
            Effect.andThen(transact(appendEvent(kept))),
            Effect.andThen(appendEvent(last)),
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

    it.effect("a unit of work can append to several organizations", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* appendEvent().pipe(transact, inside(other))
        yield* transact(
          Effect.gen(function* () {
            yield* appendEvent().pipe(inside(one))
            yield* appendEvent().pipe(inside(other))
            yield* appendEvent().pipe(inside(one))
          })
        )
        assert.deepStrictEqual(yield* positions.pipe(inside(one)), [1, 2])
        assert.deepStrictEqual(yield* positions.pipe(inside(other)), [1, 2])
      })
    )

    it.effect("gives each of many concurrent units of work a position, without gaps or repeats", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const work = (index: number) =>
            appendEvent().pipe(
              Effect.tap(Effect.yieldNow),
              Effect.andThen(appendEvent()),
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
  }
}

/** Checks an adapter against the contract of `Outbox`. */
export const outboxContract = runContract(outbox)
