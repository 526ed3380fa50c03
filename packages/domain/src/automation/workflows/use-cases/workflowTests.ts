import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { loadTest, loadTestGraph } from "../testing/loadTest.ts"
import { testRun } from "../testing/testRun.ts"
import { inTest } from "../testing/testServices.ts"
import type { WorkflowTest } from "../testing/WorkflowTest.ts"
import { requireReachOfGraph } from "../workflowPermissions.ts"

/** Previews a run of the draft or of a version for a contact, with chosen answers to its waits. Nothing is performed. */
export const testWorkflow = useCase(
  {
    name: "workflows.test",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow"
  },
  Effect.fnUntraced(function* ({ id, ...test }: { readonly id: WorkflowId } & WorkflowTest) {
    const graph = yield* loadTestGraph(id, test.version)
    yield* requireReachOfGraph(graph)
    return yield* inTest(Effect.flatMap(loadTest(graph, test), (loaded) => testRun(id, loaded)))
  })
)
