import { NotFound } from "@parley/domain/kernel"
import {
  type StoredWorkflowRun,
  type NodeId,
  type WorkflowId,
  WorkflowRun,
  WorkflowRuns,
  type WorkflowRunSelection,
  type WorkflowVersionRef
} from "@parley/domain/automation"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { byKeys } from "../../store/byCodePoints.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { WorkflowEndRow, WorkflowRunRow } from "../state.ts"
import { Store } from "../../store/Store.ts"
import { byAge, isLive, isOf, left, put, raised, rowsOf, runsIn } from "./workflowRunRows.ts"

const keptOf = ({ lane, progress, revision, run }: WorkflowRunRow): StoredWorkflowRun => ({
  run,
  progress,
  lane,
  revision
})

/** Pads positions, because texts must sort like numbers. */
const padded = (position: number | string = 0) => String(position).padStart(16, "0")

const keyOf = ({ progress: { from }, run }: WorkflowRunRow) => [DateTime.formatIso(run.startedAt), padded(from), run.id]

/** Whether the run comes after the row key, earliest first. */
const isYounger = ({ run }: WorkflowRunRow, [startedAt = "", id = ""]: ReadonlyArray<string>) =>
  `${DateTime.formatIso(run.startedAt)} ${run.id}` > `${startedAt} ${id}`

const isSelected = ({ run }: WorkflowRunRow, workflowId: WorkflowId, selection: WorkflowRunSelection) =>
  run.workflowId === workflowId &&
  selection.states.includes(run.state) &&
  (selection.contactId === null || run.contactId === selection.contactId) &&
  (selection.position === null || run.startedBy?.position === selection.position) &&
  (selection.createdFrom === null || DateTime.isGreaterThanOrEqualTo(run.startedAt, selection.createdFrom)) &&
  DateTime.isLessThan(run.startedAt, selection.createdBefore)

const selectedRows = (tenant: Tenant, workflowId: WorkflowId, selection: WorkflowRunSelection) => {
  const repeated = new Set(rowsOf(tenant).flatMap(({ run }) => run.rerunOf?.runId ?? []))
  return rowsOf(tenant).filter(
    (row) => isSelected(row, workflowId, selection) && (selection.rerun === "included" || !repeated.has(row.run.id))
  )
}

/** Returns the due times of the runs in a lane that continue automatically. */
const dueIn = (tenant: Tenant, lane: number) =>
  rowsOf(tenant).flatMap((row) => {
    const { dueAt } = row.progress
    const workflow = rowAt(tenant.workflows, row.run.workflowId)
    const isPaused = workflow === null || workflow.status === "paused"
    return row.lane === lane && isLive(row) && !isPaused && dueAt !== null ? [{ row, dueAt }] : []
  })

/** End of a started run, with its key. */
const endOf = ({ run: { endedAt, key, node, workflowId } }: WorkflowRunRow): ReadonlyArray<WorkflowEndRow> =>
  endedAt === null || key === null || node === null ? [] : [{ workflowId, key, endedAt }]

/** Whether it is asked when a run of the workflow ended last, however long ago. */
const remembers = ({ workflowVersions, workflows }: Tenant, id: WorkflowId): boolean => {
  const number = rowAt(workflows, id)?.publishedVersion ?? null
  const version = (rowAt(workflowVersions, id) ?? []).find((each) => each.number === number)
  return (version?.graph.entry?.reentry ?? "always") !== "always"
}

export const layer = Layer.effect(
  WorkflowRuns,
  Effect.map(Store, (store) =>
    WorkflowRuns.of({
      get: (workflowId, id) =>
        Effect.flatMap(
          store.readTenant(({ workflowRuns }) => rowAt(workflowRuns, id)),
          (row) =>
            row === null || row.run.workflowId !== workflowId
              ? Effect.fail(new NotFound({ resource: "workflow run" }))
              : Effect.succeed(row.run)
        ),
      find: (id) =>
        store.readTenant(({ workflowRuns }) => {
          const row = rowAt(workflowRuns, id)
          return row === null ? null : keptOf(row)
        }),
      list: (workflowId, { contactId, position, states }, { after, limit }) =>
        store.readTenant((tenant) =>
          rowsOf(tenant)
            .filter(({ run }) => run.workflowId === workflowId && (states === null || states.includes(run.state)))
            .filter(({ run }) => contactId === null || run.contactId === contactId)
            .filter(({ run }) => position === null || run.startedBy?.position === position)
            .filter(
              (row) => after === null || byKeys(keyOf(row), [after[0] ?? "", padded(after[1]), after[2] ?? ""]) < 0
            )
            .toSorted(Order.flip(Order.mapInput(byKeys, keyOf)))
            .slice(0, limit)
            .map(keptOf)
        ),
      steps: (id) =>
        store.readTenant(({ workflowRuns }) =>
          [...(rowAt(workflowRuns, id)?.steps ?? [])].toSorted(([one], [other]) => one - other).map(([, step]) => step)
        ),
      start: (started) =>
        store.writeTenant((tenant) => {
          const { run } = started
          const isTaken = rowsOf(tenant).some(
            (row) =>
              row.run.id === run.id ||
              (run.endedAt === null && isLive(row) && row.run.workflowId === run.workflowId && row.run.key === run.key)
          )
          const isActive = rowAt(tenant.workflows, run.workflowId)?.status === "active"
          return isTaken || !isActive
            ? [false, {}]
            : [true, put(tenant, [{ ...started, revision: 1, steps: new Map(), handedBy: [] }])]
        }),
      lastEnd: (workflowId, key) =>
        store.readTenant((tenant) => {
          const kept = rowsOf(tenant).flatMap(endOf)
          const [first, ...others] = [...kept, ...tenant.workflowEnds]
            .filter((end) => end.workflowId === workflowId && end.key === key)
            .map(({ endedAt }) => endedAt)
          return first === undefined ? null : others.reduce(DateTime.max, first)
        }),
      next: (lane, now, limit) =>
        store.readTenant((tenant) =>
          dueIn(tenant, lane)
            .filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
            .toSorted(
              Order.combine(
                Order.mapInput(DateTime.Order, ({ dueAt }) => dueAt),
                Order.mapInput(byAge, ({ row }) => row)
              )
            )
            .slice(0, limit)
            .map(({ row }) => keptOf(row))
        ),
      nextDue: (lane) =>
        store.readTenant((tenant) => {
          const [first, ...others] = dueIn(tenant, lane).map(({ dueAt }) => dueAt)
          return first === undefined ? null : others.reduce(DateTime.min, first)
        }),
      save: ({ lane, progress, revision, run }, steps) =>
        store.writeTenant((tenant) => {
          const before = rowAt(tenant.workflowRuns, run.id)
          if (before === null || before.revision !== revision) return [false, {}]
          const after = {
            ...before,
            run: new WorkflowRun({ ...run }),
            progress,
            lane,
            steps: new Map([...before.steps, ...steps.map(({ place, step }) => [place, step] as const)])
          }
          return [true, put(tenant, [raised(after)])]
        }),
      lockLive: (contactIds) =>
        store.writeTenant((tenant) => [
          rowsOf(tenant).filter(isLive).filter(isOf(contactIds)).toSorted(byAge).map(keptOf),
          {}
        ]),
      lockOfVersion: (workflowId, version, { after, limit }) =>
        store.writeTenant((tenant) => [
          rowsOf(tenant)
            .filter(isLive)
            .filter(({ run }) => run.workflowId === workflowId && run.workflowVersion === version)
            .filter((row) => after === null || isYounger(row, after))
            .toSorted(byAge)
            .slice(0, limit)
            .map(keptOf),
          {}
        ]),
      countSelected: (workflowId, selection) =>
        store.readTenant((tenant) => selectedRows(tenant, workflowId, selection).length),
      lockSelected: (workflowId, selection, { after, limit }) =>
        store.writeTenant((tenant) => [
          selectedRows(tenant, workflowId, selection)
            .filter((row) => after === null || isYounger(row, after))
            .toSorted(byAge)
            .slice(0, limit)
            .map(keptOf),
          {}
        ]),
      underWay: (contactIds) =>
        store.readTenant(
          (tenant) =>
            new Set(
              rowsOf(tenant)
                .filter(isLive)
                .filter(isOf(contactIds))
                .flatMap(({ run }) => run.contactId ?? [])
            )
        ),
      versionsUnderWay: (workflowId) =>
        store.readTenant((tenant) => {
          const live = rowsOf(tenant).filter(
            (row) => isLive(row) && (workflowId === null || row.run.workflowId === workflowId)
          )
          const refs = live.map(({ run }) => ({ workflowId: run.workflowId, version: run.workflowVersion }))
          return refs.filter(({ version, workflowId: id }, place) => {
            const isSame = (each: WorkflowVersionRef) => each.workflowId === id && each.version === version
            return refs.findIndex(isSame) === place
          })
        }),
      countLive: (workflowId) =>
        store.readTenant(
          (tenant) => rowsOf(tenant).filter((row) => isLive(row) && row.run.workflowId === workflowId).length
        ),
      countInNodes: (workflowId, version) =>
        store.readTenant((tenant) => {
          const counts = new Map<NodeId, number>()
          for (const { run } of rowsOf(tenant).filter(isLive)) {
            if (run.workflowId !== workflowId || run.node === null) continue
            if (version === null || run.workflowVersion === version)
              counts.set(run.node, (counts.get(run.node) ?? 0) + 1)
          }
          return counts
        }),
      exit: (workflowId, reason, now, limit) =>
        store.writeTenant((tenant) => {
          const leaving = rowsOf(tenant)
            .filter((row) => isLive(row) && (workflowId === null || row.run.workflowId === workflowId))
            .toSorted(byAge)
            .slice(0, limit)
          const after = left(leaving, reason, now)
          return [runsIn(after), put(tenant, after)]
        }),
      letGoOn: (reason, now, limit) =>
        store.writeTenant((tenant) => {
          const held = rowsOf(tenant)
            .filter(({ progress: { dueAt }, run }) => {
              return (
                run.state === "held" && run.reason === reason && dueAt !== null && DateTime.isGreaterThan(dueAt, now)
              )
            })
            .slice(0, limit)
          return [
            held.length,
            put(
              tenant,
              held.map((row) => raised({ ...row, progress: { ...row.progress, dueAt: now } }))
            )
          ]
        }),
      recall: (contactIds, now, limit) =>
        store.writeTenant((tenant) => {
          const quiet = rowsOf(tenant)
            .filter(({ run: { reason, state } }) => state === "waiting" && reason === "quiet_hours")
            .filter(({ progress: { dueAt } }) => dueAt !== null && DateTime.isGreaterThan(dueAt, now))
            .filter((row) => contactIds === null || isOf(contactIds)(row))
            .slice(0, limit)
          return [
            quiet.map(({ lane }) => lane),
            put(
              tenant,
              quiet.map((row) =>
                raised({
                  ...row,
                  run: new WorkflowRun({ ...row.run, wakeAt: now }),
                  progress: { ...row.progress, dueAt: now }
                })
              )
            )
          ]
        }),
      recallFrom: (nodes, now, limit) =>
        store.writeTenant((tenant) => {
          const waiting = rowsOf(tenant)
            .filter(({ progress: { dueAt }, run: { state } }) => {
              return state === "waiting" && dueAt !== null && DateTime.isGreaterThan(dueAt, now)
            })
            .filter(({ run }) =>
              nodes.some(
                ({ node, version, workflowId }) =>
                  run.workflowId === workflowId && run.workflowVersion === version && run.node === node
              )
            )
            .toSorted(byAge)
            .slice(0, limit)
          return [
            waiting.map(({ lane }) => lane),
            put(
              tenant,
              waiting.map((row) => raised({ ...row, progress: { ...row.progress, dueAt: now } }))
            )
          ]
        }),
      sweep: (before, limit) =>
        store.writeTenant((tenant) => {
          const ids = rowsOf(tenant)
            .filter(({ run }) => run.endedAt !== null && DateTime.isLessThan(run.endedAt, before))
            .slice(0, limit)
            .map(({ run }) => run.id)
          const ends = ids
            .flatMap((id) => rowAt(tenant.workflowRuns, id) ?? [])
            .flatMap(endOf)
            .filter(({ workflowId }) => remembers(tenant, workflowId))
          return [
            ids.length,
            {
              workflowRuns: ids.reduce((runs, id) => HashMap.remove(runs, id), tenant.workflowRuns),
              workflowEnds: [...tenant.workflowEnds, ...ends]
            }
          ]
        })
    })
  )
)
