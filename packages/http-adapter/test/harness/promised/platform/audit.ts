import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint   | needs      | nobody | token | viewer | agent | admin | owner
audit.list | audit.read | 401    | no    | no     | no    | 200   | 200
`
}
