import { WorkflowHolds } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  WorkflowHolds,
  Effect.map(Store, (store) =>
    WorkflowHolds.of({
      all: () => store.readTenant(({ workflowHolds }) => workflowHolds),
      begin: (hold) =>
        store.writeTenant(({ workflowHolds }) => [
          undefined,
          workflowHolds.some(({ reason }) => reason === hold.reason) ? {} : { workflowHolds: [...workflowHolds, hold] }
        ]),
      end: (ended) =>
        store.writeTenant(({ workflowHolds }) => [
          undefined,
          { workflowHolds: workflowHolds.filter(({ reason }) => reason !== ended) }
        ])
    })
  )
)
