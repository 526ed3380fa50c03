import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { AutomationId } from "../Automation.ts"
import type { AutomationRun, AutomationRunId, AutomationRunState } from "./AutomationRun.ts"

/** A run as it is kept. */
export interface StoredAutomationRun {
  readonly run: AutomationRun
  /** The place of its automation among those of the organization when it began. */
  readonly ordinal: number
  /** Counts the changes: who has read another one must not write. */
  readonly revision: number
}

/** A run that begins. */
export interface NewAutomationRun {
  readonly run: AutomationRun
  readonly ordinal: number
  /** Which of the organization's lanes performs the runs of its contact. */
  readonly lane: number
}

/** A version of an automation. */
export interface AutomationVersionRef {
  readonly automationId: AutomationId
  readonly version: number
}

/** Which runs to list; `null` means any. */
export interface AutomationRunFilter {
  readonly state: AutomationRunState | null
}

/** What the organization's automations did, do, and are to do. */
export class AutomationRuns extends Context.Service<
  AutomationRuns,
  TenantScoped<{
    readonly get: (automationId: AutomationId, id: AutomationRunId) => Effect.Effect<AutomationRun, NotFound>
    /** That run, whoever is at it; `null` if there is none. */
    readonly find: (id: AutomationRunId) => Effect.Effect<StoredAutomationRun | null>
    /** Newest event first. The row key is the event position and the id. */
    readonly list: (
      automationId: AutomationId,
      filter: AutomationRunFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<AutomationRun>>
    /** Keeps runs that begin. One that is there already stays as it is. Says which ones are new. */
    readonly start: (
      runs: ReadonlyArray<NewAutomationRun>
    ) => Effect.Effect<ReadonlySet<AutomationRunId>, never, Transaction>
    /**
     * Those of a lane to go on with, in the order of their events, and of one event in that of their automations. A run whose action waits
     * is among them once its time has come. Of a contact one of whose runs waits for a plugin there are none.
     */
    readonly next: (lane: number, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredAutomationRun>>
    /** When `next` has something; `null` when nothing is left or all of it waits for plugins. */
    readonly nextDue: (lane: number) => Effect.Effect<DateTime.Utc | null>
    /** Keeps these as they are now, all of them or, where one was changed by somebody else since it was read, none; says whether it did. */
    readonly save: (runs: ReadonlyArray<StoredAutomationRun>) => Effect.Effect<boolean, never, Transaction>
    /** Ends all live runs of an automation and returns their number. */
    readonly cancel: (automationId: AutomationId, now: DateTime.Utc) => Effect.Effect<number, never, Transaction>
    /**
     * Makes runs due that wait for the end of quiet hours: up to `limit` runs of these contacts, or of all contacts (`null`). Returns the lane of
     * each. Skips runs that another transaction locks.
     */
    readonly recall: (
      contactIds: ReadonlyArray<ContactId> | null,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<number>, never, Transaction>
    /** Automation versions with live runs, unordered. */
    readonly versionsUnderWay: () => Effect.Effect<ReadonlyArray<AutomationVersionRef>>
    /** How many runs of each automation have begun to act for the contact since then. */
    readonly begunSince: (contactId: ContactId, since: DateTime.Utc) => Effect.Effect<ReadonlyMap<AutomationId, number>>
    /** How many of the last runs of that version of the automation have failed in a row, so many at most. */
    readonly failedInARow: (automationId: AutomationId, version: number, limit: number) => Effect.Effect<number>
    /** The contact's, the latest first. */
    readonly ofContact: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<AutomationRun>>
    /** Hands all of one contact to another, whose lane that is; says whether any of them goes on. */
    readonly handOver: (move: MergeStep, lane: number) => Effect.Effect<boolean, never, Transaction>
    /** Hands back what a merge had handed over; says whether any of it goes on. */
    readonly handBack: (undone: UndoneMerge, lane: number) => Effect.Effect<boolean, never, Transaction>
    /** Cuts what is not over for these contacts, and removes whose the runs were and what their conditions saw. */
    readonly forget: (
      contactIds: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Forgets what was created before and is over, so many at most; says how many. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Deletes up to `limit` skipped runs, except the `kept` newest of each automation; returns their number. */
    readonly sweepSkipped: (kept: number, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/runs/AutomationRuns") {}
