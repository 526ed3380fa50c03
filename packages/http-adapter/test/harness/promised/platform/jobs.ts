import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint    | needs       | nobody | token | viewer | agent | admin | owner
jobs.list   | jobs.read   | 401    | no    | 200    | 200   | 200   | 200
jobs.get    | jobs.read   | 401    | no    | 200    | 200   | 200   | 200
jobs.cancel | jobs.manage | 401    | no    | no     | 200   | 200   | 200
`,
  trails: {
    "jobs.cancel": "job.cancelled"
  }
}
