import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint         | needs               | nobody | token | viewer | agent | admin | owner
schedules.list   | organization.read   | 401    | no    | 200    | 200   | 200   | 200
schedules.create | organization.manage | 401    | no    | no     | no    | 201   | 201
schedules.get    | organization.read   | 401    | no    | 200    | 200   | 200   | 200
schedules.status | organization.read   | 401    | no    | 200    | 200   | 200   | 200
schedules.update | organization.manage | 401    | no    | no     | no    | 200   | 200
schedules.delete | organization.manage | 401    | no    | no     | no    | 204   | 204
`,
  trails: {
    "schedules.create": "schedule.created",
    "schedules.update": "schedule.updated",
    "schedules.delete": "schedule.deleted"
  }
}
