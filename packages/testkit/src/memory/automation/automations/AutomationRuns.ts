import { NotFound } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import {
  type AutomationId,
  AutomationRun,
  type AutomationRunId,
  type AutomationRunSelection,
  AutomationRuns,
  type AutomationVersionRef,
  abortRun,
  isRunOver,
  type StoredAutomationRun,
  skipRemaining,
  withoutErasedContact
} from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { newestFirst } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { AutomationRunRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const keptOf = ({ ordinal, revision, run }: AutomationRunRow): StoredAutomationRun => ({ run, ordinal, revision })

const byTurn = Order.combineAll<AutomationRunRow>([
  Order.mapInput(Order.Number, ({ run }) => run.event.position),
  Order.mapInput(Order.Number, ({ ordinal }) => ordinal),
  Order.mapInput(Order.String, ({ run }) => run.id)
])

const byEvent = Order.flip(
  Order.combine(
    Order.mapInput(Order.Number, ({ event }: AutomationRun) => event.position),
    Order.mapInput(Order.String, ({ id }: AutomationRun) => id)
  )
)

const isAfter = ({ event, id }: AutomationRun, [position, than = ""]: ReadonlyArray<string>) =>
  event.position < Number(position) || (event.position === Number(position) && id < than)

/** Whether the run comes after the row key, oldest event first. */
const isNewer = ({ event, id }: AutomationRun, [position, than = ""]: ReadonlyArray<string>) =>
  event.position > Number(position) || (event.position === Number(position) && id > than)

const selectedRows = (tenant: Tenant, automationId: AutomationId, selection: AutomationRunSelection) => {
  const rows = HashMap.toValues(tenant.automationRuns)
  const repeated = new Set(rows.flatMap(({ run }) => run.rerunOf?.runId ?? []))
  return rows.filter(
    ({ run }) => isSelected(run, automationId, selection) && (selection.rerun === "included" || !repeated.has(run.id))
  )
}

const isSelected = (run: AutomationRun, automationId: AutomationId, selection: AutomationRunSelection) =>
  run.automationId === automationId &&
  selection.states.includes(run.state) &&
  (selection.contactId === null || run.contactId === selection.contactId) &&
  (selection.position === null || run.event.position === selection.position) &&
  (selection.createdFrom === null || DateTime.isGreaterThanOrEqualTo(run.createdAt, selection.createdFrom)) &&
  DateTime.isLessThan(run.createdAt, selection.createdBefore)

const byEnd = Order.flip(
  Order.combine(
    Order.mapInput(Order.Number, ({ finishedAt }: AutomationRun) =>
      finishedAt === null ? 0 : DateTime.toEpochMillis(finishedAt)
    ),
    Order.mapInput(Order.String, ({ id }: AutomationRun) => id)
  )
)

const runsOf = ({ automationRuns }: Tenant) => HashMap.toValues(automationRuns)

const latestFirst = (rows: ReadonlyArray<AutomationRunRow>) =>
  newestFirst(
    rows.map(({ run }) => ({ at: run.createdAt, id: run.id, run })),
    { after: null, limit: rows.length }
  ).map(({ run }) => run)

const isCalling = ({ run }: AutomationRunRow) => run.actions.some(({ state }) => state === "calling")

/** When each of a lane that is not over can go on. */
const goingOn = (tenant: Tenant, lane: number) => {
  const rows = runsOf(tenant).filter(({ run }) => !isRunOver(run.state))
  const calling = new Set(rows.filter(isCalling).map(({ run }) => run.contactId))
  return rows
    .filter((row) => row.lane === lane && !calling.has(row.run.contactId))
    .map((row) => ({
      row,
      dueAt: row.run.actions.find(({ state }) => state === "waiting")?.until ?? row.run.createdAt
    }))
}

const put = (tenant: Tenant, rows: ReadonlyArray<AutomationRunRow>) => ({
  automationRuns: rows.reduce((runs, row) => HashMap.set(runs, row.run.id, row), tenant.automationRuns)
})

const without = (tenant: Tenant, ids: ReadonlyArray<AutomationRunId>) => ({
  automationRuns: ids.reduce((runs, id) => HashMap.remove(runs, id), tenant.automationRuns)
})

const raised = (row: AutomationRunRow): AutomationRunRow => ({ ...row, revision: row.revision + 1 })

const waitsForQuiet = ({ actions, reason, state }: AutomationRun, now: DateTime.Utc) =>
  state === "running" &&
  reason === "quiet_hours" &&
  actions.some((action) => action.until !== null && DateTime.isGreaterThan(action.until, now))

const recalled = (run: AutomationRun, now: DateTime.Utc) =>
  new AutomationRun({
    ...run,
    actions: run.actions.map((action) => (action.state === "waiting" ? { ...action, until: now } : action))
  })

/** Where rows go that are handed over, or back. */
interface Handing {
  readonly contactId: ContactId
  readonly lane: number
  readonly handedBy: (row: AutomationRunRow) => ReadonlyArray<string>
}

const handed = (tenant: Tenant, rows: ReadonlyArray<AutomationRunRow>, { contactId, handedBy, lane }: Handing) =>
  [
    rows.some(({ run }) => !isRunOver(run.state)),
    put(
      tenant,
      rows.map((row) => ({
        ...row,
        lane,
        handedBy: handedBy(row),
        revision: row.revision + 1,
        run: new AutomationRun({ ...row.run, contactId })
      }))
    )
  ] as const

const forgotten = (row: AutomationRunRow, now: DateTime.Utc): AutomationRunRow => {
  const { run } = row
  const isOver = isRunOver(run.state)
  const ending = isOver ? {} : { state: "aborted" as const, reason: "contact_gone" as const, finishedAt: now }
  // The run can contain data of the contact from a plugin.
  const actions = (isOver ? run.actions : skipRemaining(run.actions)).map((action) => ({
    ...action,
    effect: withoutErasedContact(action.effect),
    error: action.error === null ? null : { ...action.error, detail: null }
  }))
  return {
    ...row,
    revision: row.revision + 1,
    run: new AutomationRun({ ...run, ...ending, actions, contactId: null, conditions: null })
  }
}

export const layer = Layer.effect(
  AutomationRuns,
  Effect.map(Store, (store) =>
    AutomationRuns.of({
      get: (automationId, id) =>
        Effect.flatMap(
          store.readTenant(({ automationRuns }) => rowAt(automationRuns, id)),
          (row) =>
            row === null || row.run.automationId !== automationId
              ? Effect.fail(new NotFound({ resource: "automation run" }))
              : Effect.succeed(row.run)
        ),
      find: (id) =>
        store.readTenant(({ automationRuns }) => {
          const row = rowAt(automationRuns, id)
          return row === null ? null : keptOf(row)
        }),
      list: (automationId, { contactId, position, state }, { after, limit }) =>
        store.readTenant((tenant) =>
          runsOf(tenant)
            .map(({ run }) => run)
            .filter((run) => run.automationId === automationId && (state === null || run.state === state))
            .filter((run) => contactId === null || run.contactId === contactId)
            .filter(({ event }) => position === null || event.position === position)
            .filter((run) => after === null || isAfter(run, after))
            .toSorted(byEvent)
            .slice(0, limit)
        ),
      countSelected: (automationId, selection) =>
        store.readTenant((tenant) => selectedRows(tenant, automationId, selection).length),
      lockSelected: (automationId, selection, { after, limit }) =>
        store.writeTenant((tenant) => [
          selectedRows(tenant, automationId, selection)
            .filter(({ run }) => after === null || isNewer(run, after))
            .toSorted(Order.flip(Order.mapInput(byEvent, ({ run }: AutomationRunRow) => run)))
            .slice(0, limit)
            .map(keptOf),
          {}
        ]),
      start: (runs) =>
        store.writeTenant((tenant) => {
          const fresh = runs.filter(({ run }) => rowAt(tenant.automationRuns, run.id) === null)
          return [
            new Set(fresh.map(({ run }) => run.id)),
            put(
              tenant,
              fresh.map((each) => ({ ...each, revision: 1, handedBy: [] }))
            )
          ]
        }),
      next: (lane, now, limit) =>
        store.readTenant((tenant) =>
          goingOn(tenant, lane)
            .filter(({ dueAt, row }) => dueAt === row.run.createdAt || DateTime.isLessThanOrEqualTo(dueAt, now))
            .map(({ row }) => row)
            .toSorted(byTurn)
            .slice(0, limit)
            .map(keptOf)
        ),
      nextDue: (lane) =>
        store.readTenant((tenant) => {
          const [first, ...others] = goingOn(tenant, lane).map(({ dueAt }) => dueAt)
          return first === undefined ? null : others.reduce(DateTime.min, first)
        }),
      save: (runs) =>
        store.writeTenant((tenant) => {
          const rows = runs.flatMap(({ revision, run }) => {
            const before = rowAt(tenant.automationRuns, run.id)
            return before === null || before.revision !== revision
              ? []
              : [{ ...before, run: new AutomationRun({ ...run }), revision: revision + 1 }]
          })
          return rows.length < runs.length ? [false, {}] : [true, put(tenant, rows)]
        }),
      cancel: (automationId, now) =>
        store.writeTenant((tenant) => {
          const live = runsOf(tenant).filter(({ run }) => run.automationId === automationId && !isRunOver(run.state))
          return [
            live.length,
            put(
              tenant,
              live.map((row) => raised({ ...row, run: abortRun(row.run, "automation_disabled", now) }))
            )
          ]
        }),
      recall: (contactIds, now, limit) =>
        store.writeTenant((tenant) => {
          const quiet = runsOf(tenant)
            .filter(({ run }) => waitsForQuiet(run, now))
            .filter(({ run }) => contactIds === null || (run.contactId !== null && contactIds.includes(run.contactId)))
            .slice(0, limit)
          return [
            quiet.map((row) => row.lane),
            put(
              tenant,
              quiet.map((row) => raised({ ...row, run: recalled(row.run, now) }))
            )
          ]
        }),
      versionsUnderWay: () =>
        store.readTenant((tenant) =>
          runsOf(tenant)
            .filter(({ run }) => !isRunOver(run.state))
            .map(({ run }) => ({ automationId: run.automationId, version: run.automationVersion }))
            .filter(({ automationId, version }, place, all) => {
              const isSame = (each: AutomationVersionRef) =>
                each.automationId === automationId && each.version === version
              return all.findIndex(isSame) === place
            })
        ),
      begunSince: (contactId, since) =>
        store.readTenant((tenant) => {
          const counts = new Map<AutomationId, number>()
          for (const { run } of runsOf(tenant)) {
            if (run.contactId !== contactId || run.state === "skipped" || run.startedAt === null) continue
            if (!DateTime.isGreaterThan(run.startedAt, since)) continue
            counts.set(run.automationId, (counts.get(run.automationId) ?? 0) + 1)
          }
          return counts
        }),
      failedInARow: (automationId, version, limit) =>
        store.readTenant((tenant) => {
          const ended = runsOf(tenant)
            .map(({ run }) => run)
            .filter((run) => run.automationId === automationId && run.automationVersion === version)
            .filter(({ state }) => state === "failed" || state === "succeeded")
            .toSorted(byEnd)
            .slice(0, limit)
          const end = ended.findIndex(({ state }) => state !== "failed")
          return end === -1 ? ended.length : end
        }),
      ofContact: (contactId, limit) =>
        store.readTenant((tenant) =>
          latestFirst(runsOf(tenant).filter(({ run }) => run.contactId === contactId)).slice(0, limit)
        ),
      performedFor: (contactId, slice) =>
        store.readTenant((tenant) =>
          newestFirst(
            runsOf(tenant)
              .filter(({ run }) => run.contactId === contactId && run.state !== "skipped")
              .map(({ run }) => ({ at: run.createdAt, id: run.id, run })),
            slice
          ).map(({ run }) => ({ run, name: rowAt(tenant.automations, run.automationId)?.name ?? null }))
        ),
      handOver: ({ from, mergeId, to }, lane) =>
        store.writeTenant((tenant) =>
          handed(
            tenant,
            runsOf(tenant).filter(({ run }) => run.contactId === from),
            { contactId: to, lane, handedBy: ({ handedBy }) => [...handedBy, mergeId] }
          )
        ),
      handBack: ({ from, mergeId, to }, lane) =>
        store.writeTenant((tenant) =>
          handed(
            tenant,
            runsOf(tenant).filter(({ handedBy, run }) => run.contactId === from && handedBy.includes(mergeId)),
            { contactId: to, lane, handedBy: ({ handedBy }) => handedBy.slice(0, handedBy.indexOf(mergeId)) }
          )
        ),
      forget: (contactIds, now) =>
        store.writeTenant((tenant) => [
          undefined,
          put(
            tenant,
            runsOf(tenant)
              .filter(({ run }) => run.contactId !== null && contactIds.includes(run.contactId))
              .map((row) => forgotten(row, now))
          )
        ]),
      sweep: (before, limit) =>
        store.writeTenant((tenant) => {
          const ids = latestFirst(runsOf(tenant).filter(({ run }) => isRunOver(run.state)))
            .filter(({ createdAt }) => DateTime.isLessThan(createdAt, before))
            .toReversed()
            .slice(0, limit)
            .map(({ id }) => id)
          return [ids.length, without(tenant, ids)]
        }),
      sweepSkipped: (kept, limit) =>
        store.writeTenant((tenant) => {
          const skipped = runsOf(tenant)
            .map(({ run }) => run)
            .filter(({ state }) => state === "skipped")
            .toSorted(byEvent)
          const ids = HashMap.toValues(tenant.automations)
            .flatMap(({ id }) => skipped.filter(({ automationId }) => automationId === id).slice(kept))
            .slice(0, limit)
            .map(({ id }) => id)
          return [ids.length, without(tenant, ids)]
        })
    })
  )
)
