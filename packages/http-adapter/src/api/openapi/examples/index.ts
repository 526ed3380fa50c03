import type { HttpApi } from "effect/http-api"
import type { Api } from "../../Api.ts"
import { account, identity, sessions, tokens } from "./auth.ts"
import { automations } from "./automations.ts"
import { docs } from "./docs.ts"
import type { ExamplesOf } from "./Example.ts"
import { operations } from "./operations.ts"
import { members, organization } from "./organization.ts"
import { audit, events } from "./trail.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer All> ? All : never

/** The whole contract by example: leaving an area out does not compile. */
export const examples: { readonly [Group in Groups as Group["identifier"]]: ExamplesOf<Group> } = {
  account,
  audit,

  automations,
  docs,
  events,
  identity,
  members,
  operations,
  organization,
  sessions,
  tokens
}

export { problems } from "./problems.ts"
export { requestId } from "./samples.ts"
