import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint          | needs | nobody | token | viewer | agent | admin | owner
operations.jwks   |       | 200    | 200   | 200    | 200   | 200   | 200
operations.health |       | 200    | 200   | 200    | 200   | 200   | 200
operations.ready  |       | 200    | 200   | 200    | 200   | 200   | 200
`
}
