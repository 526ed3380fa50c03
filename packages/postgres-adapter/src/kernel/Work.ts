import {
  type ActorRef,
  type AuditEvent,
  type Causation,
  type EventShape,
  type OrganizationId,
  Transaction
} from "@parley/domain"
import { type DateTime, Effect } from "effect"

/** An event that waits for the commit of its unit of work. */
export interface PendingEvent {
  readonly organizationId: OrganizationId
  readonly event: EventShape
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly at: DateTime.Utc
}

/** An entry of the audit log that is written with the events, to save a statement. */
export interface PendingEntry {
  readonly organizationId: OrganizationId
  readonly entry: AuditEvent
}

/** What a unit of work leaves beside its changes. */
export interface Traces {
  readonly events: ReadonlyArray<PendingEvent>
  readonly entries: ReadonlyArray<PendingEntry>
}

/** One level of a unit of work: the proof that it is under way, and the traces that wait for its commit. */
export class Work {
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

  /** Gives the entries that are not written yet, to be written before the commit. */
  takeEntries(): Traces {
    const { entries } = this
    this.entries = []
    return { events: [], entries }
  }

  /** Ends the level, and gives the traces that were left in it. */
  close(): Traces {
    const { entries, events } = this
    this.isOpen = false
    this.entries = []
    this.events = []
    return { events, entries }
  }
}

const hasEnded = Effect.die(new Error("The unit of work has ended."))

/** The level of the unit of work that the code runs in. */
export const currentWork = Effect.filterOrElse(
  Transaction,
  (transaction) => transaction instanceof Work,
  () => Effect.die(new Error("This is not inside of a unit of work of the Postgres adapter."))
)
