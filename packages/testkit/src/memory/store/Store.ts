import { AfterCommitHooks, CurrentCommitCount, CurrentOrganization } from "@parley/domain/kernel"
import { type LoggedEvent, makeEventNotifications, makeLaneNotifications } from "@parley/domain/platform"
import { Context, Effect, Exit, Layer, Semaphore } from "effect"
import { emptyState, type State, type Tenant, tenantOf, withTenant } from "./State.ts"

/** Result of a write: its answer and the next state. */
export type Written<A, Next> = readonly [answer: A, next: Next]

/** A write that a rule forbids. It changes nothing. */
export class Refused<E> {
  readonly error: E

  constructor(error: E) {
    this.error = error
  }
}

/** Refuses a write with the error. */
export const refuse = <E>(error: E) => new Refused(error)

/** Running unit of work. It reads committed state until its first write, then it is the only writer. */
export interface Unit {
  readonly joining: Semaphore.Semaphore
  readonly atEnd: Array<() => void>
  working: State | null
  over: boolean
}

/** Current unit of work. It is the in-memory equivalent of `Transaction`. */
export const CurrentUnit = Context.Reference<Unit | null>("@parley/testkit/memory/store/CurrentUnit", {
  defaultValue: () => null
})

const openUnit = Effect.map(CurrentUnit, (unit) => (unit === null || unit.over ? null : unit))

const place = (state: State): State =>
  state.pendingEvents.reduce<State>(
    (placed, { actor, at, causation, event, organizationId }) => {
      const { events } = tenantOf(placed, organizationId)
      const logged: LoggedEvent = { position: events.length + 1, at, actor, causation, event }
      return withTenant(placed, organizationId, { events: [...events, logged] })
    },
    { ...state, pendingEvents: [] }
  )

const make = Effect.sync(() => {
  const writing = Semaphore.makeUnsafe(1)
  const switchboard = makeEventNotifications()
  const workNotifications = makeLaneNotifications()
  let committed = emptyState

  const commit = (state: State) => {
    committed = place(state)
    for (const { organizationId } of state.pendingEvents) switchboard.tell(organizationId)
  }

  /** Waits until no other unit writes, then reads the commits so far. */
  const join = (unit: Unit): Effect.Effect<State> =>
    unit.joining.withPermit(
      Effect.suspend(() =>
        unit.working === null
          ? Effect.uninterruptibleMask((restore) =>
              Effect.map(restore(writing.take(1)), () => (unit.working = committed))
            )
          : Effect.succeed(unit.working)
      )
    )

  const end = (unit: Unit, succeeded: boolean) =>
    Effect.suspend(() => {
      unit.over = true
      if (succeeded && unit.working !== null) commit(unit.working)
      for (const release of unit.atEnd) release()
      return unit.working === null ? Effect.void : writing.release(1)
    })

  const read = <A>(look: (state: State) => A): Effect.Effect<A> =>
    Effect.map(openUnit, (unit) => look(unit?.working ?? committed))

  const settle = <A, E>(change: Written<A, State> | Refused<E>, keep: (next: State) => void): Effect.Effect<A, E> => {
    if (change instanceof Refused) return Effect.fail(change.error)
    keep(change[1])
    return Effect.succeed(change[0])
  }

  const write = <A, E = never>(change: (state: State) => Written<A, State> | Refused<E>): Effect.Effect<A, E> =>
    Effect.flatMap(openUnit, (unit) =>
      unit === null
        ? writing.withPermit(Effect.suspend(() => settle(change(committed), commit)))
        : Effect.flatMap(join(unit), (working) =>
            settle(change(unit.working ?? working), (next) => (unit.working = next))
          )
    )

  const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(CurrentCommitCount, (commits) => {
      const unit: Unit = { joining: Semaphore.makeUnsafe(1), atEnd: [], working: null, over: false }
      const afterwards: Array<Effect.Effect<void>> = []
      return Effect.provideService(effect, CurrentUnit, unit).pipe(
        Effect.provideService(AfterCommitHooks, afterwards),
        Effect.onExit((exit) => {
          if (Exit.isSuccess(exit) && unit.working !== null) commits.count += 1
          return end(unit, Exit.isSuccess(exit))
        }),
        Effect.tap(() => Effect.forEach(afterwards, (after) => after, { discard: true }))
      )
    })

  const nested = <A, E, R>(unit: Unit, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const before = unit.working
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit) && unit.working !== null) unit.working = before ?? committed
        })
      )
    })

  return {
    /** Notifies the listeners of an organization after each commit that logged events there. */
    signals: switchboard.signals,
    /** Notifies the listeners of all organizations in the same way. */
    listenToAll: switchboard.listenToAll,
    /** Notifies the listeners of the organization. */
    tell: switchboard.tell,
    /** Notifies workers of lanes and shards. */
    workNotifications,
    /** Reads the unit of work's own writes and none of other running units of work. */
    read,
    /** Writes in the unit of work, or alone and immediately outside of one. */
    write,
    /** Runs the effect as a unit of work, nested in the running one if it exists. */
    transact: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(openUnit, (unit) => (unit === null ? outermost(effect) : nested(unit, effect))),
    /** Waits until no other unit of work writes. */
    exclusive: Effect.asVoid(write((state) => [null, state])),
    /** Calls it when the outermost unit of work ends, either way. */
    atEnd: (release: () => void) =>
      Effect.map(openUnit, (unit) => {
        if (unit !== null) unit.atEnd.push(release)
      }),
    /** Reads what belongs to the current organization. */
    readTenant: <A>(look: (tenant: Tenant, state: State) => A) =>
      Effect.flatMap(CurrentOrganization, ({ id }) => read((state) => look(tenantOf(state, id), state))),
    /** Changes what belongs to the current organization. */
    writeTenant: <A, E = never>(
      change: (tenant: Tenant, state: State) => Written<A, Partial<Tenant>> | Refused<E>
    ): Effect.Effect<A, E, CurrentOrganization> =>
      Effect.flatMap(CurrentOrganization, ({ id }) =>
        write((state) => {
          const changed = change(tenantOf(state, id), state)
          return changed instanceof Refused ? changed : [changed[0], withTenant(state, id, changed[1])]
        })
      )
  }
})

/** The one store that all adapters in memory share. */
export class Store extends Context.Service<Store, Effect.Success<typeof make>>()(
  "@parley/testkit/memory/store/Store"
) {}

export const layer = Layer.effect(Store, make)
