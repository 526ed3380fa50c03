import { Context, Effect, Latch, type Scope } from "effect"
import {
  CurrentActor,
  CurrentOrganization,
  type OrganizationId,
  type Permission,
  type TenantScoped
} from "../../kernel/index.ts"
import type { AllLogsListener } from "./EventCursors.ts"

/** Event that is not logged. Streams deliver it at most once, without a cursor. */
export interface LiveEvent {
  readonly type: string
  /** Permission to see the event. */
  readonly permission: Permission
  readonly data: Readonly<Record<string, string>>
}

export interface OrganizationLogListener {
  /**
   * Waits until an event may have been logged, or a live event has arrived, since the last completion. Completes immediately if that has already
   * happened.
   */
  readonly next: Effect.Effect<void>
  /** Returns the live events since the last call, oldest first. */
  readonly takeLive: Effect.Effect<ReadonlyArray<LiveEvent>>
}

/**
 * Notifications about possible new events of an organization. They are fast but unreliable: they can be spurious or lost, so every listener also
 * polls the log.
 */
export class EventListeners extends Context.Service<
  EventListeners,
  TenantScoped<{
    /** Listens until the scope ends. Registration is complete when the effect returns. */
    readonly listen: () => Effect.Effect<OrganizationLogListener, never, Scope.Scope>
    /** Sends a live event to the listeners of the organization, in every process. Does not wait for them. */
    readonly announce: (event: LiveEvent) => Effect.Effect<void>
  }>
>()("@parley/domain/platform/events/EventListeners") {}

/** Maximum number of live events that wait for a listener. A slow listener loses the oldest. */
export const maxWaitingLiveEvents = 100

interface Listener {
  readonly latch: Latch.Latch
  live: Array<LiveEvent>
}

/** In-process notifications about new events. Each listener stores one bit for any number of notifications, and a few live events. */
export const makeEventNotifications = (
  /** Sends a live event to other processes. */
  announceElsewhere: (id: OrganizationId, event: LiveEvent) => void = () => {}
) => {
  const listening = new Map<OrganizationId, Set<Listener>>()

  const join = (id: OrganizationId, listener: Listener) => {
    const listeners = listening.get(id) ?? new Set()
    listeners.add(listener)
    listening.set(id, listeners)
  }

  const leave = (id: OrganizationId, listener: Listener) => {
    const listeners = listening.get(id)
    listeners?.delete(listener)
    if (listeners?.size === 0) listening.delete(id)
  }

  const announce = (id: OrganizationId, event: LiveEvent) => {
    for (const listener of listening.get(id) ?? []) {
      listener.live.push(event)
      if (listener.live.length > maxWaitingLiveEvents) listener.live.shift()
      listener.latch.openUnsafe()
    }
  }

  const globalListeners = new Set<{ readonly pendingIds: Set<OrganizationId>; readonly latch: Latch.Latch }>()

  const wake = (listeners: Iterable<Listener>) => {
    for (const { latch } of listeners) latch.openUnsafe()
  }

  return {
    signals: EventListeners.of({
      listen: Effect.fnUntraced(function* () {
        yield* CurrentActor
        const { id } = yield* CurrentOrganization
        const listener: Listener = { latch: Latch.makeUnsafe(), live: [] }
        yield* Effect.acquireRelease(
          Effect.sync(() => join(id, listener)),
          () => Effect.sync(() => leave(id, listener))
        )
        return {
          next: Effect.andThen(listener.latch.await, listener.latch.close),
          takeLive: Effect.sync(() => {
            const { live } = listener
            listener.live = []
            return live
          })
        }
      }),
      announce: Effect.fnUntraced(function* (event) {
        yield* CurrentActor
        const { id } = yield* CurrentOrganization
        announce(id, event)
        announceElsewhere(id, event)
      })
    }),
    /** Passes a live event of another process to the listeners here. */
    announce,
    /** Listens to all organizations. Pending notifications use one entry per organization. */
    listenToAll: Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => {
          const globalListener = { pendingIds: new Set<OrganizationId>(), latch: Latch.makeUnsafe() }
          globalListeners.add(globalListener)
          return globalListener
        }),
        (globalListener) => Effect.sync(() => globalListeners.delete(globalListener))
      ),
      (globalListener): AllLogsListener => ({
        next: Effect.map(Effect.andThen(globalListener.latch.await, globalListener.latch.close), () => {
          const { pendingIds } = globalListener
          const taken = new Set(pendingIds)
          pendingIds.clear()
          return taken
        })
      })
    ),
    /** Notifies the listeners to the organization, and to all organizations. */
    tell: (id: OrganizationId) => {
      wake(listening.get(id) ?? [])
      for (const { latch, pendingIds } of globalListeners) {
        pendingIds.add(id)
        latch.openUnsafe()
      }
    },
    /** Notifies all listeners after a period with possibly lost notifications. */
    tellAll: () => {
      for (const listeners of listening.values()) wake(listeners)
    }
  }
}

export type EventNotifications = ReturnType<typeof makeEventNotifications>
