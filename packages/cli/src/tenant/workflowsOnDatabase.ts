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
  moveWorkflowRuns,
  pauseWorkflow,
  publishWorkflow,
  resumeWorkflow,
  startWorkflowRun,
  updateWorkflow,
  validateWorkflow
} from "@parley/domain"
import type { Calls } from "./Tenant.ts"
import { type Here, pageOf } from "./webhooksOnDatabase.ts"

/** The calls about workflows as the use cases behind them. */
export const workflowsOnDatabase = (here: Here): Pick<Calls, "workflows"> => ({
  workflows: {
    list: ({ query = {} } = {}) => here(listWorkflows(pageOf(query))),
    get: ({ params }) => here(getWorkflow(params.id)),
    create: ({ payload }) => here(createWorkflow(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateWorkflow(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteWorkflow(params.id, headers["if-match"] ?? null)),
    validate: ({ params }) => here(validateWorkflow(params.id)),
    publish: ({ headers = {}, params }) => here(publishWorkflow(params.id, headers["if-match"] ?? null)),
    pause: ({ headers = {}, params }) => here(pauseWorkflow(params.id, headers["if-match"] ?? null)),
    resume: ({ headers = {}, params }) => here(resumeWorkflow(params.id, headers["if-match"] ?? null)),
    enroll: ({ params, payload }) => here(enrollContacts(params.id, payload)),
    listRuns: ({ params, query = {} }) => here(listWorkflowRuns(params.id, query.state ?? null, pageOf(query))),
    getRun: ({ params }) => here(getWorkflowRun(params.id, params.runId)),
    startRun: ({ params, payload }) => here(startWorkflowRun(params.id, payload)),
    moveRuns: ({ params, payload }) => here(moveWorkflowRuns(params.id, payload)),
    cancelRun: ({ params }) => here(cancelWorkflowRun(params.id, params.runId)),
    archive: ({ headers = {}, params, payload = {} }) =>
      here(archiveWorkflow(params.id, payload, headers["if-match"] ?? null)),
    draw: ({ params, query = {} }) => here(drawWorkflow(params.id, query.version ?? null)),
    listVersions: ({ params, query = {} }) => here(listWorkflowVersions(params.id, pageOf(query)))
  }
})
