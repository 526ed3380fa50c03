import { Schema } from "effect"
import { FilterInput } from "../../../crm/index.ts"

/** Who is to enter a workflow. */
export const WorkflowEnrollment = Schema.Struct({
  audience: FilterInput.annotateKey({ description: "Every contact that this matches; `{}` is everybody." })
}).annotate({ identifier: "WorkflowEnrollment" })
export type WorkflowEnrollment = typeof WorkflowEnrollment.Type
