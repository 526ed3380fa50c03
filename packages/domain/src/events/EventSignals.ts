import { Context, type Effect, type Scope } from "effect"
import type { TenantScoped } from "../kernel/index.ts"

/** An ear for news of one organization. */
export interface Listener {
  /** Waits until something may have been logged since it last answered. It answers at once if that has happened already. */
  readonly next: Effect.Effect<void>
}

/**
 * Tells those who follow an organization's events that there may be new ones. It is quick, not sure: it may tell for
 * nothing, and a sign may be lost on its way, so whoever listens looks into the log by itself from time to time.
 */
export class EventSignals extends Context.Service<
  EventSignals,
  TenantScoped<{
    /** Listens until the scope ends, from the moment it answers. */
    readonly listen: () => Effect.Effect<Listener, never, Scope.Scope>
  }>
>()("@parley/domain/events/EventSignals") {}
