import {
  AutomationRun,
  isRunOver,
  type StoredAutomationRun,
  type NewAutomationRun,
  RunAction
} from "@parley/domain/automation"
import { DateTime, Schema } from "effect"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

const Actions = Schema.toCodecJson(Schema.Array(RunAction))
const written = Schema.encodeSync(Actions)
const read = Schema.decodeUnknownSync(Actions, asWritten)

export interface RunRow extends Pick<
  AutomationRun,
  "id" | "automationId" | "automationVersion" | "state" | "reason" | "contactId" | "causation" | "conditions"
> {
  readonly ordinal: number
  readonly position: bigint
  readonly type: string
  readonly actions: unknown
  readonly createdAt: Instant
  readonly startedAt: Instant | null
  readonly finishedAt: Instant | null
  readonly rerunOf: AutomationRun["id"] | null
  readonly rerunActions: NonNullable<AutomationRun["rerunOf"]>["actions"] | null
  readonly revision: number
}

export const runColumns = `t.id, t.automation_id AS "automationId", t.automation_version AS "automationVersion", t.ordinal, t.state,
  t.reason, t.event_position AS position, t.event_type AS type, t.contact_id AS "contactId", t.causation, t.conditions, t.actions,
  t.created_at AS "createdAt", t.started_at AS "startedAt", t.finished_at AS "finishedAt", t.rerun_of AS "rerunOf",
  t.rerun_actions AS "rerunActions", t.revision`

/** Public form of the row. */
export const runOf = ({
  actions,
  createdAt,
  finishedAt,
  position,
  rerunActions,
  rerunOf,
  startedAt,
  type,
  ...row
}: RunRow): AutomationRun =>
  new AutomationRun(
    {
      ...row,
      event: { position: Number(position), type },
      actions: read(actions),
      rerunOf: rerunOf === null || rerunActions === null ? null : { runId: rerunOf, actions: rerunActions },
      createdAt: utc(createdAt),
      startedAt: utcOrNull(startedAt),
      finishedAt: utcOrNull(finishedAt)
    },
    asWritten
  )

/** Stored form of the row. */
export const keptRunOf = (row: RunRow): StoredAutomationRun => ({
  run: runOf(row),
  ordinal: row.ordinal,
  revision: row.revision
})

const iso = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

/** Columns of a run that change. */
const changing = ({ actions, conditions, finishedAt, reason, startedAt, state }: AutomationRun) => {
  const waiting = actions.find((action) => action.state === "waiting")
  const isCalling = actions.some((action) => action.state === "calling")
  return {
    state,
    reason,
    queue: isRunOver(state) ? null : isCalling ? "calling" : waiting === undefined ? "ready" : "waiting",
    due_at: iso(waiting?.until ?? null),
    conditions,
    actions: written(actions),
    started_at: iso(startedAt),
    finished_at: iso(finishedAt)
  }
}

/** A new run as a database row. */
export const newRow = ({ lane, ordinal, run }: NewAutomationRun) => ({
  id: run.id,
  automation_id: run.automationId,
  automation_version: run.automationVersion,
  ordinal,
  lane,
  event_position: run.event.position,
  event_type: run.event.type,
  contact_id: run.contactId,
  causation: run.causation,
  rerun_of: run.rerunOf?.runId ?? null,
  rerun_actions: run.rerunOf?.actions ?? null,
  created_at: iso(run.createdAt),
  ...changing(run)
})

/** A changed run as a database row. */
export const changedRow = ({ revision, run }: StoredAutomationRun) => ({ id: run.id, revision, ...changing(run) })
