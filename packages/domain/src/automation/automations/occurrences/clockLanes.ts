import { DateTime, Duration, Effect } from "effect"
import {
  ContactId,
  Contacts,
  type Filter,
  type FilterInput,
  loadFilterContext,
  negateFilter,
  readFilter
} from "../../../crm/index.ts"
import { asSystem, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker, runDueLanes } from "../../../platform/background/index.ts"
import { holdReason } from "../AutomationSettings.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { appendEvent } from "../events.ts"
import { isWithinStartWindow } from "../runs/newRuns.ts"
import {
  type AutomationClock,
  AutomationClocks,
  clockTaskName,
  isClockTrigger,
  type ScheduledTrigger,
  zoneOfTrigger
} from "./AutomationClocks.ts"
import { strikeDateClock } from "./dateClocks.ts"
import { lastReachedOccurrence, nextOccurrence } from "./cronOccurrences.ts"

/** Number of contacts per unit of work. */
const batchSize = 100

/** Maximum time for one organization before another one is processed. */
const maxTurn = Duration.seconds(3)

/** Filter of the audience; `null` if it names deleted resources. */
const readAudience = Effect.fnUntraced(function* (audience: FilterInput) {
  const { faults, filter, missing } = readFilter(audience, "", yield* loadFilterContext([audience]))
  return faults.length + missing.length === 0 ? filter : null
})

/** Next contacts of an occurrence. Contacts that were created after it are not in its audience. */
const nextContacts = Effect.fnUntraced(function* (audience: Filter, { after, dueAt }: AutomationClock) {
  // Timestamps have milliseconds, so contacts created in the millisecond of the occurrence are included.
  const before = { kind: "before", field: "createdAt", at: DateTime.add(dueAt, { milliseconds: 1 }) } as const
  const { resume, rows } = yield* (yield* Contacts).list(
    {
      filter: { kind: "all", of: [audience, before, negateFilter({ kind: "blocked" })] },
      search: null,
      sort: "createdAt"
    },
    { limit: batchSize, after: after === null ? null : [after] }
  )
  const ids = rows.map(({ id }) => id)
  const last = resume?.[0] ?? ids.at(-1)
  return {
    ids,
    after: last === undefined ? after : ContactId.make(last),
    isLast: resume === null && ids.length < batchSize
  }
})

/** Occurrence to process; `null` if it is more than a day late. After an outage, only the last occurrence is processed. */
const occurrenceOf = Effect.fnUntraced(function* (
  clock: AutomationClock,
  { cron }: ScheduledTrigger,
  zone: DateTime.TimeZone
) {
  const now = yield* DateTime.now
  const { at, missed } =
    clock.after === null ? lastReachedOccurrence(cron, zone, clock.dueAt, now) : { at: clock.dueAt, missed: 0 }
  const occurrence = isWithinStartWindow(at, now) ? at : null
  const skipped = missed + (occurrence === null ? 1 : 0)
  if (skipped > 0) {
    yield* Effect.logWarning(`Skipped ${skipped} late occurrences of the automation ${clock.automationId}`)
  }
  return occurrence
})

/** Appends the events of the next contacts of an occurrence, and moves the clock in the same unit of work. */
const strikeScheduleClock = Effect.fnUntraced(function* (clock: AutomationClock, when: ScheduledTrigger) {
  const { automationId } = clock
  const clocks = yield* AutomationClocks
  const zone = yield* zoneOfTrigger(when)
  const dueAt = yield* occurrenceOf(clock, when, zone)
  const audience = (yield* holdReason) === null ? yield* readAudience(when.audience) : null
  if (dueAt === null || audience === null) {
    const next = nextOccurrence(when.cron, zone, yield* DateTime.now)
    yield* clocks.advance(clock, { automationId, dueAt: next, after: null })
    return
  }
  const { after, ids, isLast } = yield* nextContacts(audience, { ...clock, dueAt })
  const next = isLast
    ? { automationId, dueAt: nextOccurrence(when.cron, zone, dueAt), after: null }
    : { automationId, dueAt, after }
  // A concurrent change of the automation has set the clock.
  if (!(yield* clocks.advance(clock, next))) return
  yield* Effect.forEach(
    ids,
    (contactId) => appendEvent({ type: "automation.due", automationId, contactId, dueAt: DateTime.formatIso(dueAt) }),
    {
      discard: true
    }
  )
})

/** Trigger of a clock; `null` if the automation has none or is disabled. */
const triggerOf = Effect.fnUntraced(function* (id: AutomationId) {
  const automations = yield* Automations
  for (const event of ["schedule.reached", "contact.date_reached"] as const) {
    const found = (yield* automations.enabledOn(event)).find((automation) => automation.id === id)
    if (found !== undefined && isClockTrigger(found.when)) return found.when
  }
  return null
})

const strikeClock = Effect.fnUntraced(function* (clock: AutomationClock) {
  const when = yield* triggerOf(clock.automationId)
  if (when === null) return yield* (yield* AutomationClocks).remove(clock.automationId)
  yield* when.event === "schedule.reached" ? strikeScheduleClock(clock, when) : strikeDateClock(clock, when)
})

const within = asSystem("automations")

const nextDue = Effect.flatMap(AutomationClocks, (clocks) => clocks.nextDue())

/** Processes one batch of the longest overdue clock. Returns whether a clock was due. */
const strikeNext = Effect.fnUntraced(function* (lease: LaneLease) {
  const clock = yield* (yield* AutomationClocks).due(yield* DateTime.now)
  if (clock === null) return false
  yield* strikeClock(clock)
  yield* (yield* LaneQueue).hold(lease)
  return true
}, transact)

const strikeInTurn = Effect.fnUntraced(function* (lease: LaneLease) {
  const end = DateTime.addDuration(yield* DateTime.now, maxTurn)
  let isDue = true
  while (isDue && DateTime.isLessThan(yield* DateTime.now, end)) isDue = yield* strikeNext(lease)
})

/** Starts the due automations with a schedule or a date, per organization. */
export const automationClockLaneWorker = defineLaneWorker({
  name: clockTaskName,
  concurrency: 4,
  run: (lease) => within(lease.organizationId)(strikeInTurn(lease)),
  nextDue: (lease) => within(lease.organizationId)(nextDue)
})

/** Starts due automations with a schedule or a date, for all organizations whose lanes are free. */
export const strikeClocks = runDueLanes(automationClockLaneWorker)
