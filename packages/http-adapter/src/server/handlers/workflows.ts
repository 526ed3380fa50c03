import {
  archiveWorkflow,
  cancelWorkflowRun,
  continueWorkflowRun,
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
  testWorkflow,
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
    list: ({ query }) => listWorkflows({ page: pageOf(query) }),
    create: ({ payload }) => createWorkflow(payload),
    get: ({ params }) => getWorkflow(params),
    update: ({ headers, params, payload }) =>
      updateWorkflow({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteWorkflow({ ...params, ifVersion: expectedVersion(headers) }),
    validate: ({ params }) => validateWorkflow(params),
    test: ({ params, payload }) => testWorkflow({ ...params, ...payload }),
    enroll: ({ params, payload }) => enrollContacts({ ...params, ...payload }),
    publish: ({ headers, params }) => publishWorkflow({ ...params, ifVersion: expectedVersion(headers) }),
    pause: ({ headers, params }) => pauseWorkflow({ ...params, ifVersion: expectedVersion(headers) }),
    resume: ({ headers, params }) => resumeWorkflow({ ...params, ifVersion: expectedVersion(headers) }),
    archive: ({ headers, params, payload }) =>
      archiveWorkflow({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    draw: ({ params, query }) =>
      Effect.map(drawWorkflow({ ...params, ...query }), (drawn) =>
        HttpServerResponse.text(drawn, { contentType: "text/vnd.mermaid; charset=utf-8" })
      ),
    listVersions: ({ params, query }) => listWorkflowVersions({ ...params, page: pageOf(query) }),
    listRuns: ({ params, query }) => listWorkflowRuns({ ...params, ...runsOf(query), page: pageOf(query) }),
    getRun: ({ params }) => getWorkflowRun(params),
    startRun: ({ params, payload }) => startWorkflowRun({ ...params, ...payload }),
    migrateRuns: ({ params, payload }) => migrateWorkflowRuns({ ...params, ...payload }),
    cancelRun: ({ params }) => cancelWorkflowRun(params),
    continueRun: ({ params, payload }) => continueWorkflowRun({ ...params, ...payload })
  })
)
