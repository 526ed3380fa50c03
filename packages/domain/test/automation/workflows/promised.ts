import type { Promised } from "../../promises.ts"

const lacking = `
use case           | stranger | viewer | agent | admin | owner | token | operator
workflows.archive  | -        | -      | -     | plan  | plan  | plan  | yes
workflows.cancel_run | -      | -      | -     | plan  | plan  | plan  | plan
workflows.create   | -        | -      | -     | plan  | plan  | plan  | plan
workflows.delete   | -        | -      | -     | plan  | plan  | plan  | yes
workflows.enroll   | -        | -      | -     | plan  | plan  | plan  | plan
workflows.move_runs | -       | -      | -     | plan  | plan  | plan  | plan
workflows.pause    | -        | -      | -     | plan  | plan  | plan  | plan
workflows.publish  | -        | -      | -     | plan  | plan  | plan  | plan
workflows.resume   | -        | -      | -     | plan  | plan  | plan  | plan
workflows.start_run | -       | -      | -     | plan  | plan  | plan  | plan
workflows.update   | -        | -      | -     | plan  | plan  | plan  | plan
workflows.validate | -        | plan   | plan  | plan  | plan  | plan  | plan
`

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case                | who may          | plan gate
workflows.archive       | workflows.manage | workflows
workflows.cancel_run    | workflows.manage | workflows
workflows.create        | workflows.manage | workflows
workflows.delete        | workflows.manage | workflows
workflows.draw          | workflows.read   | -
workflows.enroll        | workflows.manage | workflows
workflows.get           | workflows.read   | -
workflows.get_run       | workflows.read   | -
workflows.list          | workflows.read   | -
workflows.list_runs     | workflows.read   | -
workflows.list_versions | workflows.read   | -
workflows.start_run     | workflows.manage | workflows
workflows.move_runs     | workflows.manage | workflows
workflows.pause         | workflows.manage | workflows
workflows.publish       | workflows.manage | workflows
workflows.resume        | workflows.manage | workflows
workflows.update        | workflows.manage | workflows
workflows.validate      | workflows.read   | workflows
`,
  access: `
use case                | stranger | viewer | agent | admin | owner | token | operator
workflows.archive       | -        | -      | -     | yes   | yes   | yes   | yes
workflows.cancel_run    | -        | -      | -     | yes   | yes   | yes   | yes
workflows.create        | -        | -      | -     | yes   | yes   | yes   | yes
workflows.delete        | -        | -      | -     | yes   | yes   | yes   | yes
workflows.draw          | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.enroll        | -        | -      | -     | yes   | yes   | yes   | yes
workflows.get           | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.get_run       | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.list_runs     | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.start_run     | -        | -      | -     | yes   | yes   | yes   | yes
workflows.list          | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.list_versions | -        | yes    | yes   | yes   | yes   | yes   | yes
workflows.move_runs     | -        | -      | -     | yes   | yes   | yes   | yes
workflows.pause         | -        | -      | -     | yes   | yes   | yes   | yes
workflows.publish       | -        | -      | -     | yes   | yes   | yes   | yes
workflows.resume        | -        | -      | -     | yes   | yes   | yes   | yes
workflows.update        | -        | -      | -     | yes   | yes   | yes   | yes
workflows.validate      | -        | yes    | yes   | yes   | yes   | yes   | yes
`,
  accessOnFree: lacking,
  accessOnGrowth: lacking,
  trails: `
use case          | audit event        | event
workflows.archive | workflow.archived  | workflow.archived
workflows.cancel_run | workflow.run_cancelled | workflow.run_ended
workflows.create  | workflow.created   | workflow.created
workflows.delete  | workflow.deleted   | workflow.deleted
workflows.enroll  | workflow.enrolled  | job.started
workflows.move_runs | workflow.runs_moved | job.started
workflows.pause   | workflow.paused    | workflow.paused
workflows.publish | workflow.published | workflow.published
workflows.resume  | workflow.resumed   | workflow.resumed
workflows.start_run | workflow.run_started | workflow.run_started
workflows.update  | workflow.updated   | workflow.updated
`,
  traceless: [
    "workflows.draw",
    "workflows.get_run",
    "workflows.list_runs",
    "workflows.validate",
    "workflows.get",
    "workflows.list",
    "workflows.list_versions"
  ]
}
