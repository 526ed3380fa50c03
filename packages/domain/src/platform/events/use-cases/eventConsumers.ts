import { DateTime, Effect, Schema, Stream } from "effect"
import {
  CurrentOrganization,
  invalid,
  NotFound,
  OrganizationId,
  Timestamp,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import { platformOrganizationId } from "../../identity/index.ts"
import { type DeclaredEventConsumer, EventConsumerName } from "../EventConsumer.ts"
import { allOrganizations, requireKnownConsumer, EventConsumerDirectory, EventCursors } from "../EventCursors.ts"
import { EventConsumerDeclared, EventConsumerUnknown } from "../errors.ts"

/** A subscriber, as it stands in all organizations together. */
export const EventConsumerView = Schema.Struct({
  name: EventConsumerName,
  /** Since when it is known; `null` before a process has worked for it. */
  since: Schema.NullOr(Timestamp),
  /** Whether it is still in the code: one that is gone handles nothing. */
  isDeclared: Schema.Boolean,
  /** In how many organizations events wait for it. */
  behind: Schema.Int,
  /** Since when the event has waited that waits longest; `null` where none does. */
  waitingSince: Schema.NullOr(Timestamp),
  /** In how many organizations the next event has failed and is tried again. */
  failing: Schema.Int,
  /** How many events are parked. */
  parked: Schema.Int
})
export type EventConsumerView = typeof EventConsumerView.Type

/** An event that has failed and is tried again; it holds back those after it. */
export const FailingEvent = Schema.Struct({
  subscriber: EventConsumerName,
  organizationId: OrganizationId,
  /** Its slug. */
  organization: Schema.String,
  position: Schema.Int,
  type: Schema.String,
  attempts: Schema.Int,
  reason: Schema.NullOr(Schema.String),
  retryAt: Schema.NullOr(Timestamp)
})
export type FailingEvent = typeof FailingEvent.Type

/** Who follows the logs of events, and what holds them up. */
export const EventConsumersView = Schema.Struct({
  subscribers: Schema.Array(EventConsumerView),
  /** Some of those that fail: when all do, a few tell why. */
  failing: Schema.Array(FailingEvent)
})
export type EventConsumersView = typeof EventConsumersView.Type

const maxFailingEvents = 100

const earliestOf = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.min(one, other))

/** Tells an operator how far behind each subscriber is, what it tries again, and how much is parked, over all organizations. */
export const makeListEventConsumers = (declared: ReadonlyArray<DeclaredEventConsumer>) =>
  useCase(
    "subscribers.list",
    { access: "operator" },
    Effect.fnUntraced(function* () {
      const subscriptions = yield* EventCursors
      const known = new Map((yield* (yield* EventConsumerDirectory).list).map(({ name, since }) => [name, since]))
      const typesOf = new Map(declared.map(({ name, types }) => [name, types]))
      const names = Array.from(new Set([...known.keys(), ...typesOf.keys()])).toSorted()
      const shown = new Map(
        names.map((name): [EventConsumerName, EventConsumerView] => [
          name,
          {
            name,
            since: known.get(name) ?? null,
            isDeclared: typesOf.has(name),
            behind: 0,
            waitingSince: null,
            failing: 0,
            parked: 0
          }
        ])
      )
      const failing: Array<FailingEvent> = []
      const asked = names.map((name) => ({ name, types: typesOf.get(name) ?? [] }))

      yield* Stream.runForEach(
        allOrganizations,
        Effect.fnUntraced(function* ({ id, slug }) {
          const found = yield* Effect.provideService(subscriptions.list(asked), CurrentOrganization, { id })
          for (const { attempts, next, parked, reason, retryAt, subscriber } of found) {
            const sum = shown.get(subscriber)
            if (sum === undefined) continue
            const fails = next !== null && attempts > 0
            shown.set(subscriber, {
              ...sum,
              behind: sum.behind + (next === null ? 0 : 1),
              waitingSince: next === null ? sum.waitingSince : earliestOf(sum.waitingSince, next.at),
              failing: sum.failing + (fails ? 1 : 0),
              parked: sum.parked + parked
            })
            if (!fails || failing.length === maxFailingEvents) continue
            const { position, type } = next
            failing.push({
              subscriber,
              organizationId: id,
              organization: slug,
              position,
              type,
              attempts,
              reason,
              retryAt
            })
          }
        })
      )
      return { subscribers: Array.from(shown.values()), failing } satisfies EventConsumersView
    })
  )

/**
 * Forgets a subscriber that is gone from the code: how far it had come in each organization, and what it could not handle.
 * Each organization is a unit of work, and the name goes last, so that what was cut off can be repeated.
 */
export const makeForgetEventConsumer = (declared: ReadonlyArray<Pick<DeclaredEventConsumer, "name">>) =>
  useCase(
    "subscribers.forget",
    { access: "operator" },
    Effect.fnUntraced(function* (name: DeclaredEventConsumer["name"]) {
      if (declared.some((each) => each.name === name)) return yield* new EventConsumerDeclared({ name })
      yield* requireKnownConsumer(name)
      const subscriptions = yield* EventCursors
      const directory = yield* EventConsumerDirectory
      yield* Stream.runForEach(allOrganizations, ({ id }) =>
        Effect.provideService(transact(subscriptions.remove(name)), CurrentOrganization, { id })
      )
      const removed = Effect.andThen(
        directory.remove(name),
        recordAudit("subscriber.forgotten", { kind: "subscriber", id: name })
      )
      yield* transact(removed).pipe(
        Effect.catchTag("NotFound", () => new EventConsumerUnknown({ name })),
        Effect.provideService(CurrentOrganization, { id: platformOrganizationId })
      )
    })
  )

/** Only back: whoever went forward would have events handled by nobody, and see them parked nowhere. */
const rejectForward = (position: number) =>
  invalid("/position", `The subscriber has come to ${position}: it can be set back, not forward.`)

/** Sets a subscriber back in the organization's log, so that it handles every event after that position again. */
export const makeRewindEventConsumer = (declared: ReadonlyArray<DeclaredEventConsumer>) =>
  useCase(
    "subscribers.rewind",
    { access: "operator" },
    Effect.fnUntraced(function* (name: DeclaredEventConsumer["name"], to: number) {
      yield* requireKnownConsumer(name)
      const subscriptions = yield* EventCursors
      const types = declared.find((each) => each.name === name)?.types ?? []
      const subscription = Effect.map(subscriptions.list([{ name, types }]), ([found]) => found)
      const before = yield* subscription
      if (before === undefined || before.position === null) return yield* new NotFound({ resource: "subscriber" })
      if (to > before.position) return yield* rejectForward(before.position)
      yield* subscriptions.rewind(name, to)
      const after = yield* subscription
      if (after === undefined) return yield* new NotFound({ resource: "subscriber" })
      yield* recordAudit(
        "subscriber.rewound",
        { kind: "subscriber", id: name },
        {
          before: { position: before.position, parked: before.parked },
          after: { position: after.position, parked: after.parked }
        }
      )
      return after
    }, transact)
  )
