import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  listWorkflowVersions,
  updateWorkflow
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Workflows. */
export const layer = HttpApiBuilder.group(Api, "workflows", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listWorkflows(pageOf(query)),
    create: ({ payload }) => createWorkflow(payload),
    get: ({ params }) => getWorkflow(params.id),
    update: ({ headers, params, payload }) => updateWorkflow(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteWorkflow(params.id, expectedVersion(headers)),
    listVersions: ({ params, query }) => listWorkflowVersions(params.id, pageOf(query))
  })
)
