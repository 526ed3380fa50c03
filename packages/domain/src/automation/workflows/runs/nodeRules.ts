import { DateTime, type Schema } from "effect"
import { daysOfWeek } from "../../../campaigns/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { addDays, instantAt, toLocalDate } from "../../../kernel/index.ts"
import type { ActionError, ActionResult, WorkflowId } from "../../automations/index.ts"
import { type OpeningHours, isOpenAt, statusAt } from "../../schedules/index.ts"
import type { ActionNode, LocalMoment, NodeId, SplitNode, WaitForNode, WaitNode } from "../graph/Node.ts"
import type { MissingDependency, RunCursor, RunState } from "./runState.ts"
import { enterNode, failRun, holdRun, restRun, withStep } from "./runTransitions.ts"

/** Whether the run waits in this node of its graph. */
export const isInWait = ({ progress, run }: RunCursor, { id }: WaitNode | WaitForNode): boolean =>
  run.state === "waiting" && progress.isResting && run.node === id

/** Maximum time that a run waits for a paused template or a disconnected account. */
const maxHold = { hours: 72 }

/** Interval between checks, in addition to events about the template or the account. */
const recheckInterval = { hours: 1 }

/** Holds the run while a dependency is missing; `null` after the maximum time. */
const holdForDependency = (
  state: RunState,
  missing: MissingDependency,
  error: ActionError,
  now: DateTime.Utc
): RunState | null => {
  const since = state.progress.heldSince ?? now
  const end = DateTime.add(since, maxHold)
  if (DateTime.isLessThanOrEqualTo(end, now)) return null
  const again = DateTime.min(end, DateTime.add(now, recheckInterval))
  return holdRun(withStep(state, { state: "waiting", error }, now), missing, since, again)
}

/** Applies a failed action: the run continues, goes to another node, or ends. */
const afterFailure = (
  state: RunState,
  { next, onError = "end" }: ActionNode,
  { error, output }: { readonly error: ActionError; readonly output: Schema.Json },
  now: DateTime.Utc
): RunState => {
  const failed = withStep(state, { state: "failed", error, output }, now)
  if (onError === "end") return failRun(failed, "action_failed", now)
  return enterNode(failed, onError === "continue" ? next : onError.to, now)
}

/** Result of an action with its circumstances. */
export interface NodeResult {
  readonly result: ActionResult
  /** Missing dependency that explains a refusal. */
  readonly missing?: MissingDependency | null
  /** Answer of a call. */
  readonly output?: Schema.Json
}

/** Applies the result of an action. */
export const afterAction = (
  state: RunState,
  node: ActionNode,
  { missing = null, output = null, result }: NodeResult,
  now: DateTime.Utc
): RunState => {
  switch (result.kind) {
    case "done":
      return enterNode(
        withStep(state, { state: "done", effect: result.effect, output: result.assignment ?? output }, now),
        node.next,
        now
      )
    case "refused": {
      const held = missing === null ? null : holdForDependency(state, missing, result.error, now)
      return held ?? afterFailure(state, node, { error: result.error, output }, now)
    }
    case "wait": {
      const reason = result.reason === "quiet_hours" ? result.reason : null
      return restRun(withStep(state, { state: "waiting" }, now), result.until, reason)
    }
    case "calling":
      return restRun(withStep(state, { state: "calling", effect: result.effect }, now), null)
  }
}

const prime = 0x01000193

/** Hashes a text to a share from 0 to below 1: FNV-1a with a final mix. It must never change. */
const shareOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), prime)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Chooses the path of a contact. It depends only on the workflow, the node and the contact. */
export const chooseSplitPath = (
  { id, paths }: Pick<SplitNode, "id" | "paths">,
  workflowId: WorkflowId,
  contactId: ContactId
): { readonly index: number; readonly next: NodeId } | null => {
  const share = shareOf(`${workflowId}:${id}:${contactId}`) * 100
  let reached = 0
  for (const [index, { next, percent }] of paths.entries()) {
    reached += percent
    if (share < reached) return { index, next }
  }
  const last = paths.at(-1)
  return last === undefined ? null : { index: paths.length - 1, next: last.next }
}

/** Schedule of a wait, with its time zone. */
export interface WaitSchedule {
  readonly hours: OpeningHours
  readonly zone: DateTime.TimeZone
}

/** Interval between checks of a schedule without a known opening. */
const closedScheduleRecheck = { days: 1 }

const weekDayOf = (date: string) =>
  daysOfWeek[(DateTime.getPartUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), "weekDay") + 6) % 7]

/** Next instant with this local time. A skipped time counts as the next moment; of two equal times, the first one counts. */
const nextLocalTime = ({ days, localTime }: LocalMoment, zone: DateTime.TimeZone, from: DateTime.Utc): DateTime.Utc => {
  const today = toLocalDate(from, zone)
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const date = addDays(today, ahead)
    const day = weekDayOf(date)
    if (days !== undefined && (day === undefined || !days.includes(day))) continue
    const shown = instantAt(date, localTime, zone)
    if (!DateTime.isLessThan(shown, from)) return shown
  }
  return from
}

/** Next instant at which the schedule is open; `from` if it is open then. */
export const nextOpening = ({ hours, zone }: WaitSchedule, from: DateTime.Utc): DateTime.Utc => {
  if (isOpenAt(hours, zone, from)) return from
  return statusAt(hours, zone, from).nextChangeAt ?? DateTime.add(from, closedScheduleRecheck)
}

/** End of a wait that starts now: a duration, then a local time, then the opening of the schedule. */
export const wakeTime = (
  { seconds = 0, until }: Pick<WaitNode, "seconds" | "until">,
  zone: DateTime.TimeZone,
  schedule: WaitSchedule | null,
  now: DateTime.Utc
): DateTime.Utc => {
  const waited = DateTime.add(now, { seconds })
  const shown = until === undefined ? waited : nextLocalTime(until, zone, waited)
  return schedule === null ? shown : nextOpening(schedule, shown)
}
