import type { WorkflowStatus } from "@parley/domain"
import { Effect } from "effect"
import { nothing, type Recipe } from "../Recipe.ts"
import { givenWorkflow } from "../tenants.ts"

const inStatus =
  (status: WorkflowStatus, body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenWorkflow(tenant.organization, status), ({ id }) => ({ id, body }))

const onWorkflow = (body?: unknown): Recipe => inStatus("draft", body)

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "workflows.list": nothing,
  "workflows.create": () =>
    Effect.succeed({
      body: {
        name: "Cart",
        graph: { entry: { event: null, next: "e" }, nodes: [{ id: "e", kind: "end" }] }
      }
    }),
  "workflows.get": onWorkflow(),
  "workflows.update": onWorkflow({ name: "Cart in winter" }),
  "workflows.delete": onWorkflow(),
  "workflows.validate": onWorkflow(),
  "workflows.publish": inStatus("draft"),
  "workflows.pause": inStatus("active"),
  "workflows.resume": inStatus("paused"),
  "workflows.archive": inStatus("active", { runs: "exit" }),
  "workflows.draw": onWorkflow(),
  "workflows.listVersions": onWorkflow()
}
