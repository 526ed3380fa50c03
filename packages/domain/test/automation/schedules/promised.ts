import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case         | who may             | plan gate
schedules.create | organization.manage | -
schedules.delete | organization.manage | -
schedules.get    | organization.read   | -
schedules.list   | organization.read   | -
schedules.status | organization.read   | -
schedules.update | organization.manage | -
`,
  access: `
use case         | stranger | viewer | agent | admin | owner | token | operator
schedules.create | -        | -      | -     | yes   | yes   | yes   | yes
schedules.delete | -        | -      | -     | yes   | yes   | yes   | yes
schedules.get    | -        | yes    | yes   | yes   | yes   | yes   | yes
schedules.list   | -        | yes    | yes   | yes   | yes   | yes   | yes
schedules.status | -        | yes    | yes   | yes   | yes   | yes   | yes
schedules.update | -        | -      | -     | yes   | yes   | yes   | yes
`,
  trails: `
use case         | audit event      | event
schedules.create | schedule.created | schedule.created
schedules.delete | schedule.deleted | schedule.deleted
schedules.update | schedule.updated | schedule.updated
`,
  traceless: ["schedules.get", "schedules.list", "schedules.status"]
}
