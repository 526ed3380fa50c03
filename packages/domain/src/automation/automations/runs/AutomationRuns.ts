import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { AutomationId } from "../AutomationId.ts"
import type { AutomationRun, AutomationRunId, AutomationRunState } from "./AutomationRun.ts"
import type { AutomationRunSelection } from "./runSelection.ts"

/** Run as stored. */
export interface StoredAutomationRun {
  readonly run: AutomationRun
  /** Position of its automation in the organization when the run started. */
  readonly ordinal: number
  /** Incremented by each change. A write with another revision is rejected. */
  readonly revision: number
}

/** New run to store. */
export interface NewAutomationRun {
  readonly run: AutomationRun
  readonly ordinal: number
  /** Lane of the organization that performs the runs of this contact. */
  readonly lane: number
}

export interface AutomationVersionRef {
  readonly automationId: AutomationId
  readonly version: number
}

/** Filter for runs; `null` means any. `position`: of the event that started the run. */
export interface AutomationRunFilter {
  readonly state: AutomationRunState | null
  readonly contactId: ContactId | null
  readonly position: number | null
}

export const anyAutomationRun: AutomationRunFilter = { state: null, contactId: null, position: null }

/** Run with the current name of its automation; `null` after the deletion of the automation. */
export interface NamedAutomationRun {
  readonly run: AutomationRun
  readonly name: string | null
}

/** Runs of the organization's automations. */
export class AutomationRuns extends Context.Service<
  AutomationRuns,
  TenantScoped<{
    readonly get: (automationId: AutomationId, id: AutomationRunId) => Effect.Effect<AutomationRun, NotFound>
    /** Finds a run, even if another process performs it; `null` if it does not exist. */
    readonly find: (id: AutomationRunId) => Effect.Effect<StoredAutomationRun | null>
    /** Newest event first. The row key is the event position and the id. */
    readonly list: (
      automationId: AutomationId,
      filter: AutomationRunFilter,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<AutomationRun>>
    readonly countSelected: (automationId: AutomationId, selection: AutomationRunSelection) => Effect.Effect<number>
    /** Selected runs, oldest event first, locked until the unit of work ends. The row key is the event position and the id. */
    readonly lockSelected: (
      automationId: AutomationId,
      selection: AutomationRunSelection,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredAutomationRun>, never, Transaction>
    /** Stores new runs and returns which are new. Existing runs stay unchanged. */
    readonly start: (
      runs: ReadonlyArray<NewAutomationRun>
    ) => Effect.Effect<ReadonlySet<AutomationRunId>, never, Transaction>
    /**
     * Due runs of a lane, by event position, then by automation position. Waiting runs are included when their time
     * has passed. A contact with a run that waits for a plugin has none.
     */
    readonly next: (lane: number, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredAutomationRun>>
    /** Time of the next due run; `null` if there is none, or all runs wait for plugins. */
    readonly nextDue: (lane: number) => Effect.Effect<DateTime.Utc | null>
    /** Saves all these runs; saves none and returns `false` if another process changed one after it was read. */
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
    /** Number of runs per automation that started actions for the contact since that time. */
    readonly begunSince: (contactId: ContactId, since: DateTime.Utc) => Effect.Effect<ReadonlyMap<AutomationId, number>>
    /** Number of consecutive failed runs of an automation version, counted back from the latest, at most `limit`. */
    readonly failedInARow: (automationId: AutomationId, version: number, limit: number) => Effect.Effect<number>
    /** Runs of the contact, latest first. */
    readonly ofContact: (contactId: ContactId, limit: number) => Effect.Effect<ReadonlyArray<AutomationRun>>
    /** Runs of the contact without skipped ones, newest first. The row key is the creation time and the id. */
    readonly performedFor: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<NamedAutomationRun>>
    /** Moves all runs of a contact to another contact and its lane; returns whether any of them is live. */
    readonly handOver: (move: MergeStep, lane: number) => Effect.Effect<boolean, never, Transaction>
    /** Returns the runs that a merge had moved; returns whether any of them is live. */
    readonly handBack: (undone: UndoneMerge, lane: number) => Effect.Effect<boolean, never, Transaction>
    /** Cuts the live runs of these contacts. Removes the contact and the observed condition values from all their runs. */
    readonly forget: (
      contactIds: ReadonlyArray<ContactId>,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes up to `limit` ended runs that were created before the time; returns their number. */
    readonly sweep: (before: DateTime.Utc, limit: number) => Effect.Effect<number>
    /** Deletes up to `limit` skipped runs, except the `kept` newest of each automation; returns their number. */
    readonly sweepSkipped: (kept: number, limit: number) => Effect.Effect<number>
  }>
>()("@parley/domain/automation/automations/runs/AutomationRuns") {}
