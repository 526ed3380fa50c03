import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint         | needs       | nobody | token | viewer | agent | admin | owner
events.list      | events.read | 401    | no    | 200    | 200   | 200   | 200
events.listTypes | events.read | 401    | no    | 200    | 200   | 200   | 200
`
}
