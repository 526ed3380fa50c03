import { type ActorRef, type DomainEvent, type OrganizationId, Transaction } from "@parley/domain"
import { type DateTime, Effect } from "effect"

/** An event that waits for the commit of its unit of work. */
export interface PendingEvent {
  readonly organizationId: OrganizationId
  readonly event: DomainEvent
  readonly actor: ActorRef
  readonly at: DateTime.Utc
}

/** One level of a unit of work: the proof that it is under way, and the events that wait for its commit. */
export class Work {
  private readonly events: Array<PendingEvent> = []
  private isOpen = true

  append(...events: ReadonlyArray<PendingEvent>): Effect.Effect<void> {
    if (!this.isOpen) return Effect.die(new Error("The unit of work has ended."))
    this.events.push(...events)
    return Effect.void
  }

  /** Ends the level, and gives the events that were appended in it. */
  close(): ReadonlyArray<PendingEvent> {
    this.isOpen = false
    return this.events
  }
}

/** The level of the unit of work that the code runs in. */
export const currentWork = Effect.filterOrElse(
  Transaction,
  (transaction) => transaction instanceof Work,
  () => Effect.die(new Error("This is not inside of a unit of work of the Postgres adapter."))
)
