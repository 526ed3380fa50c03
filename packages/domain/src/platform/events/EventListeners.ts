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

interface Ear {
  readonly latch: Latch.Latch
  live: Array<LiveEvent>
}

/** In-process notifications about new events. Each listener stores one bit for any number of notifications, and a few live events. */
export const makeEventNotifications = (
  /** Sends a live event to other processes. */
  announceElsewhere: (id: OrganizationId, event: LiveEvent) => void = () => {}
) => {
  const listening = new Map<OrganizationId, Set<Ear>>()

  const join = (id: OrganizationId, ear: Ear) => {
    const ears = listening.get(id) ?? new Set()
    ears.add(ear)
    listening.set(id, ears)
  }

  const leave = (id: OrganizationId, ear: Ear) => {
    const ears = listening.get(id)
    ears?.delete(ear)
    if (ears?.size === 0) listening.delete(id)
  }

  const announce = (id: OrganizationId, event: LiveEvent) => {
    for (const ear of listening.get(id) ?? []) {
      ear.live.push(event)
      if (ear.live.length > maxWaitingLiveEvents) ear.live.shift()
      ear.latch.openUnsafe()
    }
  }

  const followers = new Set<{ readonly heard: Set<OrganizationId>; readonly ear: Latch.Latch }>()

  const wake = (ears: Iterable<Ear>) => {
    for (const { latch } of ears) latch.openUnsafe()
  }

  return {
    signals: EventListeners.of({
      listen: Effect.fnUntraced(function* () {
        yield* CurrentActor
        const { id } = yield* CurrentOrganization
        const ear: Ear = { latch: Latch.makeUnsafe(), live: [] }
        yield* Effect.acquireRelease(
          Effect.sync(() => join(id, ear)),
          () => Effect.sync(() => leave(id, ear))
        )
        return {
          next: Effect.andThen(ear.latch.await, ear.latch.close),
          takeLive: Effect.sync(() => {
            const { live } = ear
            ear.live = []
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
          const follower = { heard: new Set<OrganizationId>(), ear: Latch.makeUnsafe() }
          followers.add(follower)
          return follower
        }),
        (follower) => Effect.sync(() => followers.delete(follower))
      ),
      (follower): AllLogsListener => ({
        next: Effect.map(Effect.andThen(follower.ear.await, follower.ear.close), () => {
          const { heard } = follower
          const told = new Set(heard)
          heard.clear()
          return told
        })
      })
    ),
    /** Notifies the listeners to the organization, and to all organizations. */
    tell: (id: OrganizationId) => {
      wake(listening.get(id) ?? [])
      for (const { ear, heard } of followers) {
        heard.add(id)
        ear.openUnsafe()
      }
    },
    /** Notifies all listeners after a period with possibly lost notifications. */
    tellAll: () => {
      for (const ears of listening.values()) wake(ears)
    }
  }
}

export type EventNotifications = ReturnType<typeof makeEventNotifications>
