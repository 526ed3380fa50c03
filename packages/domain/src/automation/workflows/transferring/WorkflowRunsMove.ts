import { Schema } from "effect"
import { NodeId } from "../graph/NodeId.ts"

/** What becomes of a run whose node the published version does not have. */
export const MissingNode = Schema.Literals(["stay", "exit"])
export type MissingNode = typeof MissingNode.Type

/** Which runs are to go on by the published version, and where. */
export const WorkflowRunsMove = Schema.Struct({
  fromVersion: Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum: 1, maximum: 999_999_999 }, { message: "Expected the number of a published version" })
  ).annotateKey({ description: "The version that they are of." }),
  map: Schema.optionalKey(
    Schema.Record(Schema.String, NodeId).annotate({
      description:
        "To which node of the published version runs go from a node of theirs; from any other one, to that of the same id."
    })
  ),
  missing: Schema.optionalKey(MissingNode).annotateKey({
    description:
      "What becomes of runs whose node the published version does not have: they stay as they are (`stay`, if it is absent), or leave."
  })
}).annotate({ identifier: "WorkflowRunsMove" })
export type WorkflowRunsMove = typeof WorkflowRunsMove.Type
