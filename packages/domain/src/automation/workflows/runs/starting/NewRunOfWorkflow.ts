import { Schema } from "effect"
import { ContactId } from "../../../../crm/index.ts"
import { utf8Bytes } from "../../../../platform/files/index.ts"

const mostBytes = 32 * 1024

const isSmall = Schema.makeFilter(
  (value: Readonly<Record<string, Schema.Json>>) =>
    utf8Bytes(JSON.stringify(value)).length <= mostBytes || "Expected at most 32 KiB of JSON"
)

/** Who enters a workflow, and with what. */
export const NewRunOfWorkflow = Schema.Struct({
  contactId: ContactId,
  input: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json)
      .check(isSmall)
      .annotate({ description: "What texts may name as `input`." })
  )
}).annotate({ identifier: "NewWorkflowRun" })
export type NewRunOfWorkflow = typeof NewRunOfWorkflow.Type
