import { normalizeForSearch, NotFound, VersionConflict } from "@parley/domain/kernel"
import { Workflow, workflowCursorKey, type WorkflowId, Workflows } from "@parley/domain/automation"
import { Effect, HashMap, Layer, Option } from "effect"
import { inSortOrder } from "../../store/slice.ts"
import { rowAt, type Tenant } from "../../store/State.ts"
import { refuse, Refused, Store } from "../../store/Store.ts"

const stored = (
  { workflows }: Tenant,
  id: WorkflowId,
  expected: number | null
): Workflow | Refused<NotFound | VersionConflict> => {
  const workflow = rowAt(workflows, id)
  if (workflow === null) return refuse(new NotFound({ resource: "workflow" }))
  if (expected !== null && workflow.version !== expected) {
    return refuse(new VersionConflict({ current: workflow.version }))
  }
  return workflow
}

const versionsOf = ({ workflowVersions }: Tenant, id: WorkflowId) =>
  Option.getOrElse(HashMap.get(workflowVersions, id), () => [])

export const layer = Layer.effect(
  Workflows,
  Effect.map(Store, (store) =>
    Workflows.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ workflows }) => rowAt(workflows, id)),
          (workflow) => workflow !== null,
          () => new NotFound({ resource: "workflow" })
        ),
      list: ({ event, q, sort, status }, slice) =>
        store.readTenant(({ workflows }) =>
          inSortOrder(
            HashMap.toValues(workflows).filter(
              (workflow) =>
                (q === null || normalizeForSearch(workflow.name).includes(normalizeForSearch(q))) &&
                (status === null || workflow.status === status) &&
                (event === null || workflow.graph.entry?.event?.event === event)
            ),
            sort,
            (workflow) => workflowCursorKey(sort, workflow),
            slice
          )
        ),
      count: () => store.readTenant(({ workflows }) => HashMap.size(workflows)),
      inForce: () =>
        store.readTenant((tenant) =>
          Array.from(HashMap.values(tenant.workflows))
            .filter(({ status }) => status === "active" || status === "paused")
            .flatMap(({ id, publishedVersion }) =>
              versionsOf(tenant, id)
                .filter(({ number }) => number === publishedVersion)
                .map(({ graph }) => ({ id, graph }))
            )
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        ),
      beginningOn: (event) =>
        store.readTenant((tenant) =>
          HashMap.toValues(tenant.workflows)
            .filter(({ status }) => status === "active")
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .flatMap(({ id, publishedVersion }) =>
              versionsOf(tenant, id)
                .filter(({ graph, number }) => number === publishedVersion && graph.entry?.event?.event === event)
                .map(({ graph, number }) => ({
                  id,
                  number,
                  graph,
                  activeAfter: Option.getOrElse(HashMap.get(tenant.workflowsActiveAfter, id), () => 0)
                }))
            )
        ),
      beginAfter: (id, position) =>
        store.writeTenant(({ workflowsActiveAfter }) => [
          undefined,
          { workflowsActiveAfter: HashMap.set(workflowsActiveAfter, id, position) }
        ]),
      insert: (workflow) =>
        store.writeTenant(({ workflows }) => [undefined, { workflows: HashMap.set(workflows, workflow.id, workflow) }]),
      save: (workflow, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, workflow.id, expected)
          if (before instanceof Refused) return before
          const after = new Workflow({ ...workflow, createdAt: before.createdAt, version: before.version + 1 })
          return [after, { workflows: HashMap.set(tenant.workflows, after.id, after) }]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused
            ? before
            : [
                undefined,
                {
                  workflows: HashMap.remove(tenant.workflows, id),
                  workflowVersions: HashMap.remove(tenant.workflowVersions, id),
                  workflowsActiveAfter: HashMap.remove(tenant.workflowsActiveAfter, id),
                  workflowEnds: tenant.workflowEnds.filter(({ workflowId }) => workflowId !== id)
                }
              ]
        }),
      publish: (id, version) =>
        store.writeTenant((tenant) => [
          undefined,
          { workflowVersions: HashMap.set(tenant.workflowVersions, id, [version, ...versionsOf(tenant, id)]) }
        ]),
      version: (id, number) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => versionsOf(tenant, id).find((version) => version.number === number) ?? null),
          (version) => version !== null,
          () => new NotFound({ resource: "workflow version" })
        ),
      versions: (id, { after, limit }) =>
        store.readTenant((tenant) =>
          versionsOf(tenant, id)
            .filter(({ number }) => after === null || number < Number(after[0]))
            .slice(0, limit)
        )
    })
  )
)
