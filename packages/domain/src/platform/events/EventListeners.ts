import { Context, Effect, Latch, type Scope } from "effect"
import { CurrentActor, CurrentOrganization, type OrganizationId, type TenantScoped } from "../../kernel/index.ts"
import type { AllLogsListener } from "./EventCursors.ts"

export interface OrganizationLogListener {
  /** Waits until an event may have been logged since the last completion. Completes at once if that has already happened. */
  readonly next: Effect.Effect<void>
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
  }>
>()("@parley/domain/platform/events/EventListeners") {}

/** In-process notifications about new events. Each listener stores one bit for any number of notifications. */
export const makeEventNotifications = () => {
  const listening = new Map<OrganizationId, Set<Latch.Latch>>()

  const join = (id: OrganizationId, ear: Latch.Latch) => {
    const ears = listening.get(id) ?? new Set()
    ears.add(ear)
    listening.set(id, ears)
  }

  const leave = (id: OrganizationId, ear: Latch.Latch) => {
    const ears = listening.get(id)
    ears?.delete(ear)
    if (ears?.size === 0) listening.delete(id)
  }

  const followers = new Set<{ readonly heard: Set<OrganizationId>; readonly ear: Latch.Latch }>()

  const wake = (ears: Iterable<Latch.Latch>) => {
    for (const ear of ears) ear.openUnsafe()
  }

  return {
    signals: EventListeners.of({
      listen: Effect.fnUntraced(function* () {
        yield* CurrentActor
        const { id } = yield* CurrentOrganization
        const ear = Latch.makeUnsafe()
        yield* Effect.acquireRelease(
          Effect.sync(() => join(id, ear)),
          () => Effect.sync(() => leave(id, ear))
        )
        return { next: Effect.andThen(ear.await, ear.close) }
      })
    }),
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
