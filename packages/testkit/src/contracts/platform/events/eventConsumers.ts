import { type CurrentActor, type CurrentOrganization, Outbox, type Transaction, transact } from "@parley/domain/kernel"
import {
  defineEventConsumer,
  consumeLog,
  type LoggedEvent,
  MemberId,
  type Organization,
  type EventConsumer,
  EventCursors
} from "@parley/domain/platform"
import { Automation, AutomationId, Automations, emptyDefinition } from "@parley/domain/automation"
import { DomainEvent, type StoragePorts } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenOrganization, inside, present } from "../../given.ts"

export const created = (): DomainEvent => ({ type: "automation.created", automationId: freshId(AutomationId) })
export const removed = (): DomainEvent => ({ type: "member.removed", memberId: freshId(MemberId) })

export const append = (...events: ReadonlyArray<DomainEvent>) =>
  Effect.flatMap(Outbox, (outbox) => transact(Effect.forEach(events, outbox.append, { discard: true })))

type InHandler = Transaction | CurrentOrganization | CurrentActor

/** Writes a row for each handled event. A duplicate leaves two rows; a lost event leaves none. */
export const note = Effect.fnUntraced(function* (name: string, events: ReadonlyArray<LoggedEvent>) {
  const automations = yield* Automations
  const now = yield* DateTime.now
  for (const { position } of events) {
    yield* automations.insert(
      new Automation({
        id: freshId(AutomationId),
        name: `${name} ${position}`,
        enabled: false,
        disabledReason: null,
        position: 1,
        ...emptyDefinition,
        createdAt: now,
        updatedAt: now,
        version: 1
      })
    )
  }
})

export const notedBy = ({ name }: Pick<EventConsumer<never>, "name">) =>
  Effect.map(
    Effect.flatMap(Automations, (automations) => automations.list({ limit: 10_000, after: null })),
    (rows) =>
      rows
        .flatMap((row) => (row.name.startsWith(`${name} `) ? [Number(row.name.slice(name.length + 1))] : []))
        .toReversed()
  )

/** Returns a unique name. Names cannot contain digits. */
export const freshName = () => {
  const salt = freshId({ make: (id: string) => id })
  return `test.${Array.from(salt.replaceAll("-", ""), (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join("")}`
}

/** Event consumer that skips unneeded events and records each check. */
export const neededBy = (isNeeded: () => boolean) => {
  const asked: Array<ReadonlyArray<number>> = []
  const consumer = defineEventConsumer({
    name: freshName(),
    schema: DomainEvent,
    events: "all",
    beginsWith: "next_event",
    batch: 10,
    handle: (events: ReadonlyArray<LoggedEvent>) =>
      Effect.sync(() => {
        asked.push(events.map(({ position }) => position))
        return isNeeded() ? ("done" as const) : ("nobody" as const)
      })
  })
  return { asked, consumer }
}

interface Given {
  readonly batch?: number
  readonly beginsWith?: "first_event" | "next_event"
  /** What happens with the events before they are noted. */
  readonly before?: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void, unknown, StoragePorts>
  /** What happens after that. */
  readonly after?: (events: ReadonlyArray<LoggedEvent>) => Effect.Effect<void, unknown, StoragePorts>
}

const nothing = () => Effect.void

export const newConsumer = ({
  after = nothing,
  batch = 10,
  before = nothing,
  beginsWith = "first_event"
}: Given = {}) => {
  const name = freshName()
  return defineEventConsumer({
    name,
    schema: DomainEvent,
    events: ["automation.created"],
    beginsWith,
    batch,
    handle: Effect.fnUntraced(function* (events: ReadonlyArray<LoggedEvent>) {
      yield* before(events)
      yield* note(name, events)
      yield* after(events)
    })
  })
}

export type Tested = EventConsumer<StoragePorts | InHandler>

/** Runs like a process with all ports. */
const complete = Effect.fnUntraced(function* (consumer: Tested) {
  const ports = yield* Effect.context<StoragePorts>()
  return {
    ...consumer,
    handle: (events: ReadonlyArray<LoggedEvent>) => Effect.provide(consumer.handle(events), ports)
  }
})

export const follow = (consumer: Tested) => Effect.flatMap(complete(consumer), consumeLog)

/** Runs the consumer until it is idle and advances the clock through each wait. */
export const settle = Effect.fnUntraced(function* (consumer: Tested) {
  while (true) {
    const again = yield* follow(consumer)
    if (again === null) return
    const wait = DateTime.toEpochMillis(again) - DateTime.toEpochMillis(yield* DateTime.now)
    if (wait > 0) yield* TestClock.adjust(wait)
  }
})

export const cursorOf = Effect.fnUntraced(function* (consumer: Tested) {
  const [found] = yield* (yield* EventCursors).list([consumer])
  return found ?? (yield* Effect.die(new Error("It is not known.")))
})

export const parkedOf = ({ name }: Tested) =>
  Effect.flatMap(EventCursors, (cursors) => cursors.listParked(name, { limit: 100, after: null }))

export const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1)

/** Fails on these positions while they are in the set. */
export const failingOn = (poison: ReadonlySet<number>) => (events: ReadonlyArray<LoggedEvent>) =>
  events.some(({ position }) => poison.has(position)) ? Effect.die(new Error("It cannot be done.")) : Effect.void

export const inNew = <A, E, R>(effect: (organization: Organization) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.andThen(present, givenOrganization()), (organization) =>
    inside(organization)(effect(organization))
  )
