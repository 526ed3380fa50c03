import {
  layerJobKinds,
  migrateWorkflowRuns,
  type Organization,
  runDueJobs,
  type Workflow,
  type WorkflowRunsMove
} from "@parley/domain"
import { asOwnerOf } from "@parley/testkit"
import { Effect } from "effect"

/** Moves live runs of a workflow to its published version, all of them. */
export const moveAll = (organization: Organization, { id }: Pick<Workflow, "id">, move: WorkflowRunsMove) =>
  migrateWorkflowRuns({ id, ...move }).pipe(
    asOwnerOf(organization),
    Effect.andThen(Effect.provide(runDueJobs, layerJobKinds))
  )
