import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint               | needs            | nobody | token | viewer | agent | admin         | owner
workflows.archive      | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.cancelRun    | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.create       | workflows.manage | 401    | no    | no     | no    | plan plan 201 | plan plan 201
workflows.delete       | workflows.manage | 401    | no    | no     | no    | plan plan 204 | plan plan 204
workflows.draw         | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.enroll       | workflows.manage | 401    | no    | no     | no    | plan plan 202 | plan plan 202
workflows.get          | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.getRun       | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.listRuns     | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.startRun     | workflows.manage | 401    | no    | no     | no    | plan plan 201 | plan plan 201
workflows.list         | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.listVersions | workflows.read   | 401    | no    | 200    | 200   | 200           | 200
workflows.pause        | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.moveRuns     | workflows.manage | 401    | no    | no     | no    | plan plan 202 | plan plan 202
workflows.publish      | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.resume       | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.update       | workflows.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
workflows.validate     | workflows.read   | 401    | no    | plan plan 200 | plan plan 200 | plan plan 200 | plan plan 200
`,
  trails: {
    "workflows.archive": "workflow.archived",
    "workflows.cancelRun": "workflow.run_cancelled",
    "workflows.create": "workflow.created",
    "workflows.delete": "workflow.deleted",
    "workflows.enroll": "workflow.enrolled",
    "workflows.moveRuns": "workflow.runs_moved",
    "workflows.pause": "workflow.paused",
    "workflows.publish": "workflow.published",
    "workflows.resume": "workflow.resumed",
    "workflows.startRun": "workflow.run_started",
    "workflows.update": "workflow.updated",
    "workflows.validate": null
  }
}
