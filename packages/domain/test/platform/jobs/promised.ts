import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case    | who may     | plan gate
jobs.cancel | jobs.manage | -
jobs.get    | jobs.read   | -
jobs.list   | jobs.read   | -
`,
  access: `
use case    | stranger | viewer | agent | admin | owner | token | operator
jobs.cancel | -        | -      | yes   | yes   | yes   | yes   | yes
jobs.get    | -        | yes    | yes   | yes   | yes   | yes   | yes
jobs.list   | -        | yes    | yes   | yes   | yes   | yes   | yes
`,
  trails: `
use case    | audit event   | event
jobs.cancel | job.cancelled | job.finished
`,
  traceless: ["jobs.get", "jobs.list"]
}
