import type { Promised } from "../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint             | needs          | nobody | token | viewer | agent | admin         | owner
pluginCalls.complete | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
`,
  trails: { "pluginCalls.complete": "plugin_call.completed" }
}
