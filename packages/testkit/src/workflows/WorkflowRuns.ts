import {
  type ContactId,
  exited,
  type ExitReason,
  type KeptWorkflowRun,
  type NodeId,
  NotFound,
  type WorkflowId,
  WorkflowRun,
  WorkflowRuns,
  type WorkflowStep
} from "@parley/domain"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { newestFirst } from "../store/slice.ts"
import { rowAt, type Tenant, type WorkflowEndRow, type WorkflowRunRow } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const rowsOf = ({ workflowRuns }: Tenant) => HashMap.toValues(workflowRuns)

const isLive = ({ run }: WorkflowRunRow) => run.endedAt === null

const isOf =
  (contactIds: ReadonlyArray<ContactId>) =>
  ({ run }: WorkflowRunRow) =>
    run.contactId !== null && contactIds.includes(run.contactId)

const keptOf = ({ lane, progress, revision, run }: WorkflowRunRow): KeptWorkflowRun => ({
  run,
  progress,
  lane,
  revision
})

const byAge = Order.combine(
  Order.mapInput(DateTime.Order, ({ run }: WorkflowRunRow) => run.startedAt),
  Order.mapInput(Order.String, ({ run }: WorkflowRunRow) => run.id)
)

const latestFirst = (rows: ReadonlyArray<WorkflowRunRow>, slice: Parameters<typeof newestFirst>[1]) =>
  newestFirst(
    rows.map(({ run }) => ({ at: run.startedAt, id: run.id, run })),
    slice
  ).map(({ run }) => run)

const put = (tenant: Tenant, rows: ReadonlyArray<WorkflowRunRow>) => ({
  workflowRuns: rows.reduce((runs, row) => HashMap.set(runs, row.run.id, row), tenant.workflowRuns)
})

const raised = <Row extends WorkflowRunRow>(row: Row): Row => ({ ...row, revision: row.revision + 1 })

const blanked = (step: WorkflowStep): WorkflowStep => ({
  ...step,
  output: null,
  conditions: null,
  error: step.error === null ? null : { code: step.error.code, detail: null }
})

/** When each of a lane goes on that does so by itself. */
const dueIn = (tenant: Tenant, lane: number) =>
  rowsOf(tenant).flatMap((row) => {
    const { dueAt } = row.progress
    const workflow = rowAt(tenant.workflows, row.run.workflowId)
    const isPaused = workflow === null || workflow.status === "paused"
    return row.lane === lane && isLive(row) && !isPaused && dueAt !== null ? [{ row, dueAt }] : []
  })

const keyAfter = (key: string | null, from: string, to: string) => (key === from ? to : key)

const left = (rows: ReadonlyArray<WorkflowRunRow>, reason: ExitReason, now: DateTime.Utc) =>
  rows.map((row) => raised(exited(row, reason, now)))

/** When a run of a key has ended that had begun. */
const endOf = ({ run: { endedAt, key, node, workflowId } }: WorkflowRunRow): ReadonlyArray<WorkflowEndRow> =>
  endedAt === null || key === null || node === null ? [] : [{ workflowId, key, endedAt }]

/** Whether it is asked when a run of the workflow ended last, however long ago. */
const remembers = ({ workflowVersions, workflows }: Tenant, id: WorkflowId): boolean => {
  const number = rowAt(workflows, id)?.publishedVersion ?? null
  const version = (rowAt(workflowVersions, id) ?? []).find((each) => each.number === number)
  return (version?.graph.entry?.reentry ?? "always") !== "always"
}

const runsIn = (rows: ReadonlyArray<WorkflowRunRow>): ReadonlyArray<WorkflowRun> => rows.map(({ run }) => run)

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
      list: (workflowId, { states }, slice) =>
        store.readTenant((tenant) =>
          latestFirst(
            rowsOf(tenant).filter(
              ({ run }) => run.workflowId === workflowId && (states === null || states.includes(run.state))
            ),
            slice
          )
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
            .filter(
              ({ run }) =>
                after === null ||
                `${DateTime.formatIso(run.startedAt)} ${run.id}` > `${after[0] ?? ""} ${after[1] ?? ""}`
            )
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
      ofContact: (contactId, limit) =>
        store.readTenant((tenant) => latestFirst(rowsOf(tenant).filter(isOf([contactId])), { after: null, limit })),
      handOver: ({ from, mergeId, to }, lane, now) =>
        store.writeTenant((tenant) => {
          const live = rowsOf(tenant)
            .filter(isLive)
            .filter(isOf([from, to]))
            .toSorted(byAge)
          const nameOf = ({ run }: WorkflowRunRow) => `${run.workflowId} ${keyAfter(run.key, from, to)}`
          const losing = live.filter((row, index) =>
            live.slice(0, index).some((older) => nameOf(older) === nameOf(row))
          )
          const ended = put(tenant, left(losing, "merged", now))
          const moved = rowsOf({ ...tenant, ...ended })
            .filter(isOf([from]))
            .map((row) =>
              raised({
                ...row,
                lane,
                handedBy: [...row.handedBy, mergeId],
                run: new WorkflowRun({ ...row.run, contactId: to, key: keyAfter(row.run.key, from, to) })
              })
            )
          const after = put({ ...tenant, ...ended }, moved)
          const ends = tenant.workflowEnds.filter(({ key }) => key === from).map((end) => ({ ...end, key: to }))
          return [
            losing.flatMap(({ run }) => rowAt(after.workflowRuns, run.id)?.run ?? []),
            { ...after, workflowEnds: [...tenant.workflowEnds, ...ends] }
          ]
        }),
      handBack: ({ from, mergeId, to }, lane) =>
        store.writeTenant((tenant) => {
          const back = rowsOf(tenant)
            .filter(isLive)
            .filter(isOf([from]))
            .filter(({ handedBy }) => handedBy.includes(mergeId))
          return [
            back.length,
            put(
              tenant,
              back.map((row) =>
                raised({
                  ...row,
                  lane,
                  handedBy: row.handedBy.slice(0, row.handedBy.indexOf(mergeId)),
                  run: new WorkflowRun({ ...row.run, contactId: to, key: keyAfter(row.run.key, from, to) })
                })
              )
            )
          ]
        }),
      forget: (contactIds, now) =>
        store.writeTenant((tenant) => {
          const theirs = rowsOf(tenant).filter(isOf(contactIds))
          const after = theirs.map((row) => {
            const { progress, run, steps } = isLive(row) ? exited(row, "contact_gone", now) : row
            return raised({
              ...row,
              run: new WorkflowRun({ ...run, contactId: null, key: null }),
              progress: { ...progress, input: {}, subject: null },
              steps: new Map([...steps].map(([place, step]) => [place, blanked(step)]))
            })
          })
          const workflowEnds = tenant.workflowEnds.filter(({ key }) => !contactIds.some((id) => id === key))
          return [
            runsIn(after.filter((_, index) => theirs[index]?.run.endedAt === null)),
            { ...put(tenant, after), workflowEnds }
          ]
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
