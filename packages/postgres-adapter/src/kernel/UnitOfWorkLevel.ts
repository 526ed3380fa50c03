import { type ActorRef, type Causation, type EventShape, type OrganizationId, Transaction } from "@parley/domain/kernel"
import type { AuditEvent } from "@parley/domain/platform"
import { type DateTime, Effect } from "effect"

/** An event that is logged at the commit of its unit of work. */
export interface PendingEvent {
  readonly organizationId: OrganizationId
  readonly event: EventShape
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly at: DateTime.Utc
}

/** An audit entry that is written with the events, to save a statement. */
export interface PendingEntry {
  readonly organizationId: OrganizationId
  readonly entry: AuditEvent
}

/** Events and audit entries of a unit of work. */
export interface Traces {
  readonly events: ReadonlyArray<PendingEvent>
  readonly entries: ReadonlyArray<PendingEntry>
}

/** One level of a unit of work: the proof that it is running, and its pending traces. */
export class UnitOfWorkLevel {
  private events: Array<PendingEvent> = []
  private entries: Array<PendingEntry> = []
  private isOpen = true

  append(...events: ReadonlyArray<PendingEvent>): Effect.Effect<void> {
    if (!this.isOpen) return hasEnded
    this.events.push(...events)
    return Effect.void
  }

  enter(...entries: ReadonlyArray<PendingEntry>): Effect.Effect<void> {
    if (!this.isOpen) return hasEnded
    this.entries.push(...entries)
    return Effect.void
  }

  /** Takes the unwritten entries, to be written before the commit. */
  takeEntries(): Traces {
    const { entries } = this
    this.entries = []
    return { events: [], entries }
  }

  /** Ends the level and returns its remaining traces. */
  close(): Traces {
    const { entries, events } = this
    this.isOpen = false
    this.entries = []
    this.events = []
    return { events, entries }
  }
}

const hasEnded = Effect.die(new Error("The unit of work has ended."))

/** Level of the current unit of work. */
export const currentLevel = Effect.filterOrElse(
  Transaction,
  (transaction) => transaction instanceof UnitOfWorkLevel,
  () => Effect.die(new Error("This is not inside of a unit of work of the Postgres adapter."))
)
