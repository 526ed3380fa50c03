import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint      | needs        | nobody | token | viewer | agent | admin | owner
docs.handoff  | docs.handoff | 401    | no    | 200    | 200   | 200   | 200
docs.exchange |              | 200    | 200   | 200    | 200   | 200   | 200
docs.session  |              | 401    | 401   | 401    | 401   | 401   | 401
`,
  trails: {
    "docs.handoff": null,
    "docs.exchange": null
  }
}
