import type { Ports } from "@parley/domain"
import type { Layer } from "effect"
import { auditSuite } from "./audit.ts"
import { authenticationSuite } from "./authentication.ts"
import { automationsSuite } from "./automations.ts"
import { browsersSuite } from "./browsers.ts"
import { changesSuite } from "./changes.ts"
import { docsHandoffSuite } from "./docsHandoff.ts"
import { eventsSuite } from "./events.ts"
import { hostileSuite } from "./hostile.ts"
import { idempotencySuite } from "./idempotency.ts"
import { listsSuite } from "./lists.ts"
import { meSuite } from "./me.ts"
import { membersSuite } from "./members.ts"
import { organizationSuite } from "./organization.ts"
import { organizationHeaderSuite } from "./organizationHeader.ts"
import { problemsSuite } from "./problems.ts"
import { rateLimitsSuite } from "./rateLimits.ts"
import { requestIdsSuite } from "./requestIds.ts"
import { rolesSuite } from "./roles.ts"
import { secrecySuite } from "./secrecy.ts"
import { sessionsSuite } from "./sessions.ts"
import { tenancySuite } from "./tenancy.ts"
import { tokensSuite } from "./tokens.ts"

/** How much the tests ask of what they run on. */
export interface Effort {
  /** How many copies of a request come at once. */
  readonly copies: number
}

/** What depends on how the store behaves. */
export const storeSuites = <E>(ports: Layer.Layer<Ports, E>, { copies }: Effort) => {
  listsSuite("lists", ports)
  changesSuite("changes", ports)
  sessionsSuite("sessions", ports)
  meSuite("me", ports)
  organizationSuite("the organization", ports)
  membersSuite("members", ports)
  tokensSuite("automation tokens", ports)
  automationsSuite("automations", ports)
  docsHandoffSuite("the hand-off to the documentation", ports)
  eventsSuite("events", ports)
  auditSuite("the audit trail", ports)
  idempotencySuite("idempotency", ports, { copies })
  tenancySuite("tenants", ports)
  rolesSuite("roles and plans", ports)
  hostileSuite("hostile values", ports)
}

/** Everything that holds over HTTP, whatever the service runs on. */
export const allSuites = <E>(ports: Layer.Layer<Ports, E>, effort: Effort) => {
  authenticationSuite("authentication", ports)
  organizationHeaderSuite("the organization header", ports)
  problemsSuite("problems", ports)
  requestIdsSuite("request ids", ports)
  browsersSuite("browsers", ports)
  rateLimitsSuite("rate limits", ports)
  storeSuites(ports, effort)
  secrecySuite("secrets", ports)
}
