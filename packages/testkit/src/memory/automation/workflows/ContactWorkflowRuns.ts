import {
  ContactWorkflowRuns,
  exitRun,
  withoutErasedContact,
  WorkflowRun,
  type WorkflowStep
} from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { rowAt } from "../../store/State.ts"
import type { WorkflowRunRow } from "../state.ts"
import { Store } from "../../store/Store.ts"
import { byAge, isLive, isOf, latestFirst, left, put, raised, rowsOf, runsIn } from "./workflowRunRows.ts"

const blanked = (step: WorkflowStep): WorkflowStep => ({
  ...step,
  effect: withoutErasedContact(step.effect),
  output: null,
  conditions: null,
  error: step.error === null ? null : { ...step.error, detail: null }
})

const keyAfter = (key: string | null, from: string, to: string) => (key === from ? to : key)

export const layer = Layer.effect(
  ContactWorkflowRuns,
  Effect.map(Store, (store) =>
    ContactWorkflowRuns.of({
      list: (contactId, slice) =>
        store.readTenant((tenant) =>
          latestFirst(rowsOf(tenant).filter(isOf([contactId])), slice).map((run) => {
            const workflow = rowAt(tenant.workflows, run.workflowId)
            return { run, name: workflow?.name ?? null, status: workflow?.status ?? null }
          })
        ),
      latestSteps: (ids, limit) =>
        store.readTenant(
          (tenant) =>
            new Map(
              ids.flatMap((id) => {
                const steps = [...(rowAt(tenant.workflowRuns, id)?.steps ?? [])]
                const latest = steps.toSorted(([one], [other]) => one - other).slice(-limit)
                return latest.length === 0 ? [] : [[id, latest.map(([, step]) => step)] as const]
              })
            )
        ),
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
            const { progress, run, steps } = isLive(row) ? exitRun(row, "contact_gone", now) : row
            return raised({
              ...row,
              run: new WorkflowRun({ ...run, contactId: null, key: null, conditions: null, input: {} }),
              progress: { ...progress, subject: null },
              steps: new Map([...steps].map(([place, step]) => [place, blanked(step)]))
            })
          })
          const workflowEnds = tenant.workflowEnds.filter(({ key }) => !contactIds.some((id) => id === key))
          return [
            runsIn(after.filter((_, index) => theirs[index]?.run.endedAt === null)),
            { ...put(tenant, after), workflowEnds }
          ]
        })
    })
  )
)
