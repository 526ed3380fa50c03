import { type Organization, runDueJobs } from "@parley/domain/platform"
import { migrateWorkflowRuns, type Workflow, type WorkflowRunsMove } from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { asOwnerOf } from "@parley/testkit"
import { Effect } from "effect"

/** Moves live runs of a workflow to its published version, all of them. */
export const moveAll = (organization: Organization, { id }: Pick<Workflow, "id">, move: WorkflowRunsMove) =>
  migrateWorkflowRuns({ id, ...move }).pipe(
    asOwnerOf(organization),
    Effect.andThen(Effect.provide(runDueJobs, layerJobKinds))
  )
