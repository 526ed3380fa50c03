import { Context, type Effect, type Scope } from "effect"
import type { TenantScoped } from "../../kernel/index.ts"

/** A listener to the event log of one organization. */
export interface Listener {
  /** Waits until something may have been logged since it last answered. It answers at once if that has happened already. */
  readonly next: Effect.Effect<void>
}

/**
 * Notifies those who follow an organization's events that there may be new ones. It is fast, not reliable: a notification may
 * be needless or get lost, so every listener also polls the log from time to time.
 */
export class EventSignals extends Context.Service<
  EventSignals,
  TenantScoped<{
    /** Listens until the scope ends, from the moment it answers. */
    readonly listen: () => Effect.Effect<Listener, never, Scope.Scope>
  }>
>()("@parley/domain/platform/events/EventSignals") {}
