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

/** State of an event consumer over all organizations. */
export const EventConsumerView = Schema.Struct({
  name: EventConsumerName,
  /** Time of registration; `null` before a process has run it. */
  since: Schema.NullOr(Timestamp),
  /** Whether the code still declares it. An undeclared event consumer handles nothing. */
  isDeclared: Schema.Boolean,
  /** Number of organizations with waiting events. */
  behind: Schema.Int,
  /** Time since which the oldest waiting event waits; `null` without waiting events. */
  waitingSince: Schema.NullOr(Timestamp),
  /** Number of organizations whose next event has failed and waits for a retry. */
  failing: Schema.Int,
  /** Number of parked events. */
  parked: Schema.Int
})
export type EventConsumerView = typeof EventConsumerView.Type

/** Failed event that waits for a retry. It blocks the events after it. */
export const FailingEvent = Schema.Struct({
  consumer: EventConsumerName,
  organizationId: OrganizationId,
  /** Slug of the organization. */
  organization: Schema.String,
  position: Schema.Int,
  type: Schema.String,
  attempts: Schema.Int,
  reason: Schema.NullOr(Schema.String),
  retryAt: Schema.NullOr(Timestamp)
})
export type FailingEvent = typeof FailingEvent.Type

/** Event consumers and the events that block them. */
export const EventConsumersView = Schema.Struct({
  consumers: Schema.Array(EventConsumerView),
  /** A sample of the failing events; a few show the reason if all fail. */
  failing: Schema.Array(FailingEvent)
})
export type EventConsumersView = typeof EventConsumersView.Type

const maxFailingEvents = 100

const earliestOf = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.min(one, other))

/** Shows an operator the backlog, the retries and the parked events of each event consumer, over all organizations. */
export const makeListEventConsumers = (declared: ReadonlyArray<DeclaredEventConsumer>) =>
  useCase(
    { name: "consumers.list", access: "operator" },
    Effect.fnUntraced(function* () {
      const cursors = yield* EventCursors
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
          const found = yield* Effect.provideService(cursors.list(asked), CurrentOrganization, { id })
          for (const { attempts, next, parked, reason, retryAt, consumer } of found) {
            const sum = shown.get(consumer)
            if (sum === undefined) continue
            const fails = next !== null && attempts > 0
            shown.set(consumer, {
              ...sum,
              behind: sum.behind + (next === null ? 0 : 1),
              waitingSince: next === null ? sum.waitingSince : earliestOf(sum.waitingSince, next.at),
              failing: sum.failing + (fails ? 1 : 0),
              parked: sum.parked + parked
            })
            if (!fails || failing.length === maxFailingEvents) continue
            const { position, type } = next
            failing.push({
              consumer,
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
      return { consumers: Array.from(shown.values()), failing } satisfies EventConsumersView
    })
  )

/**
 * Deletes an event consumer that the code no longer declares: its cursors and its parked events. Each organization is a unit of work. The name is
 * deleted last, because an interrupted run can then be repeated.
 */
export const makeForgetEventConsumer = (declared: ReadonlyArray<Pick<DeclaredEventConsumer, "name">>) =>
  useCase(
    { name: "consumers.forget", access: "operator", audit: "consumer.forgotten" },
    Effect.fnUntraced(function* ({ name }: { readonly name: DeclaredEventConsumer["name"] }) {
      if (declared.some((each) => each.name === name)) return yield* new EventConsumerDeclared({ name })
      yield* requireKnownConsumer(name)
      const cursors = yield* EventCursors
      const directory = yield* EventConsumerDirectory
      yield* Stream.runForEach(allOrganizations, ({ id }) =>
        Effect.provideService(transact(cursors.remove(name)), CurrentOrganization, { id })
      )
      const removed = Effect.andThen(
        directory.remove(name),
        recordAudit("consumer.forgotten", { kind: "event_consumer", id: name })
      )
      yield* transact(removed).pipe(
        Effect.catchTag("NotFound", () => new EventConsumerUnknown({ name })),
        Effect.provideService(CurrentOrganization, { id: platformOrganizationId })
      )
    })
  )

/** Allows backward moves only. A forward move would skip events that are neither handled nor parked. */
const rejectForward = (position: number) =>
  invalid("/position", `The event consumer is at position ${position}. It can only be moved back.`)

/** Rewinds an event consumer in the organization's log. It handles every event after the position again. */
export const makeRewindEventConsumer = (declared: ReadonlyArray<DeclaredEventConsumer>) =>
  useCase(
    { name: "consumers.rewind", access: "operator", audit: "consumer.rewound" },
    Effect.fnUntraced(function* ({ name, to }: { readonly name: DeclaredEventConsumer["name"]; readonly to: number }) {
      yield* requireKnownConsumer(name)
      const cursors = yield* EventCursors
      const types = declared.find((each) => each.name === name)?.types ?? []
      const currentCursor = Effect.map(cursors.list([{ name, types }]), ([found]) => found)
      const before = yield* currentCursor
      if (before === undefined || before.position === null) return yield* new NotFound({ resource: "event consumer" })
      if (to > before.position) return yield* rejectForward(before.position)
      yield* cursors.rewind(name, to)
      const after = yield* currentCursor
      if (after === undefined) return yield* new NotFound({ resource: "event consumer" })
      yield* recordAudit(
        "consumer.rewound",
        { kind: "event_consumer", id: name },
        {
          before: { position: before.position, parked: before.parked },
          after: { position: after.position, parked: after.parked }
        }
      )
      return after
    }, transact)
  )
