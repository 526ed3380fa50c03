import {
  archiveWorkflow,
  cancelWorkflowRun,
  createWorkflow,
  deleteWorkflow,
  drawWorkflow,
  enrollContacts,
  getWorkflow,
  getWorkflowRun,
  listWorkflowRuns,
  listWorkflows,
  listWorkflowVersions,
  migrateWorkflowRuns,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  startWorkflowRun,
  updateWorkflow,
  validateWorkflow
} from "@parley/domain"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf, runsOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerWorkflows = HttpApiBuilder.group(Api, "workflows", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listWorkflows(pageOf(query)),
    create: ({ payload }) => createWorkflow(payload),
    get: ({ params }) => getWorkflow(params.id),
    update: ({ headers, params, payload }) => updateWorkflow(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteWorkflow(params.id, expectedVersion(headers)),
    validate: ({ params }) => validateWorkflow(params.id),
    enroll: ({ params, payload }) => enrollContacts(params.id, payload),
    publish: ({ headers, params }) => publishWorkflow(params.id, expectedVersion(headers)),
    pause: ({ headers, params }) => pauseWorkflow(params.id, expectedVersion(headers)),
    resume: ({ headers, params }) => resumeWorkflow(params.id, expectedVersion(headers)),
    archive: ({ headers, params, payload }) => archiveWorkflow(params.id, payload, expectedVersion(headers)),
    draw: ({ params, query }) =>
      Effect.map(drawWorkflow(params.id, query.version ?? null), (drawn) =>
        HttpServerResponse.text(drawn, { contentType: "text/vnd.mermaid; charset=utf-8" })
      ),
    listVersions: ({ params, query }) => listWorkflowVersions(params.id, pageOf(query)),
    listRuns: ({ params, query }) => listWorkflowRuns(params.id, runsOf(query), pageOf(query)),
    getRun: ({ params }) => getWorkflowRun(params.id, params.runId),
    startRun: ({ params, payload }) => startWorkflowRun(params.id, payload),
    migrateRuns: ({ params, payload }) => migrateWorkflowRuns(params.id, payload),
    cancelRun: ({ params }) => cancelWorkflowRun(params.id, params.runId)
  })
)
